// What must stand before anything runs: a Node that is new enough, the dependencies of the lock file, a current build.
// Plain Node without dependencies. Progress goes to standard error; what the tools say is shown only when they fail.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const NODE_MIN = { major: 20, minor: 19 }
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const BUILD_MARKER = join(root, 'services/standalone/dist/.built')
const BUNDLE_MARKER = '.bundled'

const say = (line) => console.error(line)
const seconds = (startedMs) => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`

/** Runs a command in the project folder, without input; resolves what it printed instead of showing it. */
export const run = (command, args, env = process.env) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: OUTPUT_BYTES_MAX,
    shell: process.platform === 'win32' && command === 'npm',
  })
  return { succeeded: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`.trimEnd() }
}

/** Ends the process when this Node is too old for the code. */
export const requireNode = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NODE_MIN.major || (major === NODE_MIN.major && minor >= NODE_MIN.minor)) return
  say(`Switchyard needs Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

/** npm keeps its own record of what it installed, and writes it last: an interrupted install has none. */
const isInstalled = () => {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const installed = readPackages(record)
  return Object.entries(readPackages(join(root, 'package-lock.json')))
    .filter(([path, { optional }]) => path.startsWith('node_modules/') && !optional)
    .every(([path, { version, integrity }]) => installed[path]?.version === version && installed[path]?.integrity === integrity)
}

/** Installs exactly what the lock file names, when that is not installed yet. Ends the process when it can't. */
export const installWhenNeeded = () => {
  if (isInstalled()) return
  const startedMs = Date.now()
  say('Installing dependencies ...')
  const { succeeded, output } = run('npm', ['ci', '--no-audit', '--no-fund'])
  if (!succeeded) {
    say(output)
    say('npm ci failed (see above). It needs the network once; later starts do not.')
    process.exit(1)
  }
  say(`Installed in ${seconds(startedMs)}`)
}

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))

const projectFolders = () => JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references.map(({ path }) => join(root, path))

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))

/** Changes whenever a source, data that is read beside it, or a setting of what builds does, also by deletion. */
const fingerprint = () => {
  const hash = createHash('sha256')
  const folders = projectFolders()
  const settings = ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json', 'tools/bundle.mjs'].map((name) => join(root, name))
  const own = folders.flatMap((folder) => [...filesIn(folder), ...filesBelow(join(folder, 'src'))])
  for (const path of [...settings, ...own].sort()) {
    const { size, mtimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

const isMarked = (marker, current) => existsSync(marker) && readFileSync(marker, 'utf8') === current

const isBuilt = (current) =>
  isMarked(BUILD_MARKER, current) && projectFolders().every((folder) => existsSync(join(folder, 'dist/.tsbuildinfo')))

/** Compiles what changed (`tsc -b`), or nothing at all when no source did. */
export const build = () => {
  const current = fingerprint()
  if (isBuilt(current)) return { succeeded: true, output: '' }
  const result = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b'])
  if (result.succeeded) writeFileSync(BUILD_MARKER, current)
  return result
}

/** {@link build} for a start: says that it takes a moment, and ends the process when it fails. */
export const buildWhenNeeded = () => {
  if (isBuilt(fingerprint())) return
  const startedMs = Date.now()
  say('Building ...')
  const { succeeded, output } = build()
  if (!succeeded) {
    say(output)
    say('The build failed (see above).')
    process.exit(1)
  }
  say(`Built in ${seconds(startedMs)}`)
}

/**
 * Bundles those of the services whose sources changed since (tools/bundle.mjs): each runs from its `dist/bundle/main.js`.
 *
 * @param {readonly string[]} services
 */
export const bundleWhenNeeded = async (services) => {
  const current = fingerprint()
  for (const service of services) {
    const folder = join(root, 'services', service, 'dist/bundle')
    if (isMarked(join(folder, BUNDLE_MARKER), current)) continue
    // Beside the one that another process may be starting from.
    const fresh = `${folder}-${process.pid}`
    await (await import('./bundle.mjs')).bundleCode(service, fresh)
    writeFileSync(join(fresh, BUNDLE_MARKER), current)
    rmSync(folder, { recursive: true, force: true })
    try {
      renameSync(fresh, folder)
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true })
      // Another process, which started at the same time, was first.
      if (!isMarked(join(folder, BUNDLE_MARKER), current)) throw error
    }
  }
}

/** {@link bundleWhenNeeded} for every service that runs by itself. */
export const bundleAll = async () => await bundleWhenNeeded((await import('./bundle.mjs')).SERVICES)
