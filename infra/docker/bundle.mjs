// `node infra/docker/bundle.mjs <service> <folder>`: everything that a service needs to run, in one folder: its code and
// that of its dependencies in a few files, and the packages with native parts, which can't be bundled, as they are installed.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCode, NATIVE, SERVICES } from '../../tools/bundle.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Where `name` is installed for the package in `folder`; undefined is a platform's part that is not installed here. */
const installedFor = (folder, name) =>
  (createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [])
    .map((place) => join(place, name))
    .find((place) => existsSync(join(place, 'package.json')))

/** Folders of these packages and of all that they need, as far as it is installed. */
const withDependencies = (folders) => {
  const found = new Set(folders)
  for (const folder of found) {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = installedFor(folder, name)
      if (place !== undefined) found.add(place)
      else if (!(name in optionalDependencies)) throw new Error(`${name} of ${folder} is not installed`)
    }
  }
  return [...found]
}

const copyNative = (metafiles, folder) => {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs))
  const imported = new Set(outputs.flatMap(({ imports }) => imports.map(({ path }) => path)))
  const used = NATIVE.filter((name) => imported.has(name))
  const places = withDependencies(used.map((name) => join(root, 'node_modules', name)))
  for (const place of places) cpSync(place, join(folder, place.slice(root.length)), { recursive: true, dereference: true })
}

/** The packages whose code is bundled, as folders below the project's. */
const bundledPackages = (metafiles) => {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  return [...new Set(paths.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))]
}

/** Their licences ask to be handed on with the code. */
const writeLicences = (metafiles, folder) => {
  const texts = bundledPackages(metafiles).flatMap((place) => {
    const files = readdirSync(join(root, place)).filter((name) => /^(licen[cs]e|notice)/i.test(name))
    return files.map((name) => `${place.replace(/^.*node_modules\//, '')}\n\n${readFileSync(join(root, place, name), 'utf8')}\n`)
  })
  writeFileSync(join(folder, 'LICENCES.txt'), texts.join(`${'-'.repeat(80)}\n`))
}

/** Bundles `service` into `folder`, which is emptied before. */
const bundle = async (service, folder) => {
  rmSync(folder, { recursive: true, force: true })
  const metafiles = await bundleCode(service, folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: service, type: 'module', private: true })}\n`)
  copyNative(metafiles, folder)
  writeLicences(metafiles, folder)
}

const [service = '', folder = ''] = process.argv.slice(2)
if (folder === '' || !SERVICES.includes(service)) {
  console.error(`usage: node infra/docker/bundle.mjs <${SERVICES.join('|')}> <folder>`)
  process.exit(1)
}
await bundle(service, resolve(folder))
