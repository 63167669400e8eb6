// `npm run bench [name...]`: measures the system beside a reference in the same run, prints a table, keeps the figures.
import { buildWhenNeeded, bundleAll, installWhenNeeded, requireNode } from '../tools/setup.mjs'

try {
  requireNode()
  installWhenNeeded()
  buildWhenNeeded()
  await bundleAll()
  // What is measured is imported from what was built just now: on a fresh clone there is nothing to import before.
  await (await import('./run.mjs')).runBenchmarks()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
