// What a service runs from: its code and that of its dependencies in a few files. Loading hundreds of small ones takes a
// process, and each of its threads, more than twice as long.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Packages with native parts can't be bundled. */
export const NATIVE = ['@node-rs/argon2', 'lmdb', 'koffi']
/** Run by hand in the repository, from its own build. */
const COMMAND_LINE = 'operator'
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

/** The services that run by themselves. */
export const SERVICES = readdirSync(join(root, 'services')).filter(
  (name) => name !== COMMAND_LINE && existsSync(join(root, 'services', name, 'src/main.ts')),
)

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

/** Each entry point by itself: what several share would otherwise be loaded whole by every one of them. */
const bundleEntry = async (name, folder) => {
  const { metafile } = await build({
    entryPoints: [{ in: join(root, `${name}.ts`), out: basename(name) }],
    outdir: folder,
    bundle: true,
    // What is imported only where it is used stays a file of its own.
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

/** Bundles `service` into `folder`; what the bundles are made of, one of esbuild's metafiles for each entry point. */
export const bundleCode = async (service, folder) =>
  await Promise.all([`services/${service}/src/main`, ...(THREADS[service] ?? [])].map((name) => bundleEntry(name, folder)))
