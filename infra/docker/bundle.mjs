// `node infra/docker/bundle.mjs <service> <folder>`: everything that a service needs to run, in one folder: its code and
// that of its dependencies in a few files, and the packages with native parts, which can't be bundled, as they are installed.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const NATIVE = ['@node-rs/argon2', 'lmdb', 'koffi']
/** Threads of a service are entry points of their own, found beside `main.js`. */
const REPORT_THREAD = 'services/cost-ingestion/src/threads/report-thread'
const COMPILER_THREAD = 'services/decide/src/costs/compiler-thread'
const INVOICE_THREAD = 'packages/invoice-files/src/invoice-thread'
const OWN_THREADS = ['background-worker', 'webhook-worker', 'cost-worker', 'decision-worker'].map(
  (name) => `services/standalone/src/${name}`,
)
const THREADS = {
  standalone: [...OWN_THREADS, REPORT_THREAD, COMPILER_THREAD, INVOICE_THREAD],
  'cost-ingestion': [REPORT_THREAD],
  decide: [COMPILER_THREAD],
  'command-api': [INVOICE_THREAD],
}
/** CommonJS inside an ES module asks for these. */
const BANNER = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)`

const FILE_BESIDE = /new URL\('([^']+)', import\.meta\.url\)/g

/** A file that the code reads by its place beside itself is put beside the bundle. */
const filesBeside = (folder) => ({
  name: 'files-beside',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/](packages|services)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replaceAll(FILE_BESIDE, (url, place) => {
        const file = resolve(dirname(path), place)
        if (!existsSync(file)) return url
        cpSync(file, join(folder, basename(file)))
        return `new URL('./${basename(file)}', import.meta.url)`
      })
      return { contents, loader: 'ts' }
    })
  },
})

const bundleCode = async (service, folder) => {
  const { metafile } = await build({
    entryPoints: [`services/${service}/src/main`, ...(THREADS[service] ?? [])].map((name) => ({
      in: join(root, `${name}.ts`),
      out: basename(name),
    })),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['source'],
    // The sources need none of the compiler's settings, and the image has none.
    tsconfigRaw: '{}',
    external: NATIVE,
    plugins: [filesBeside(folder)],
    banner: { js: BANNER },
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  return metafile
}

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

const copyNative = (metafile, folder) => {
  const imported = new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  const used = NATIVE.filter((name) => imported.has(name))
  const places = withDependencies(used.map((name) => join(root, 'node_modules', name)))
  for (const place of places) cpSync(place, join(folder, place.slice(root.length)), { recursive: true, dereference: true })
}

/** The packages whose code a bundle holds, as folders below the project's. */
const bundledPackages = ({ inputs }) => [
  ...new Set(Object.keys(inputs).flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])),
]

/** Their licences ask to be handed on with the code. */
const writeLicences = (metafile, folder) => {
  const texts = bundledPackages(metafile).flatMap((place) => {
    const files = readdirSync(join(root, place)).filter((name) => /^(licen[cs]e|notice)/i.test(name))
    return files.map((name) => `${place.replace(/^.*node_modules\//, '')}\n\n${readFileSync(join(root, place, name), 'utf8')}\n`)
  })
  writeFileSync(join(folder, 'LICENCES.txt'), texts.join(`${'-'.repeat(80)}\n`))
}

/** Bundles `service` into `folder`, which is emptied before. */
const bundle = async (service, folder) => {
  rmSync(folder, { recursive: true, force: true })
  const metafile = await bundleCode(service, folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: service, type: 'module', private: true })}\n`)
  copyNative(metafile, folder)
  writeLicences(metafile, folder)
}

const [service = '', folder = ''] = process.argv.slice(2)
if (folder === '' || !existsSync(join(root, 'services', service, 'src/main.ts'))) {
  console.error('usage: node infra/docker/bundle.mjs <service with a main.ts> <folder>')
  process.exit(1)
}
await bundle(service, resolve(folder))
