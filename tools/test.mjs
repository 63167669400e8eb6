// `npm test`: every check of the project, then all tests. With arguments (`npm test -- packages/routing`) only jest runs,
// and gets them. `npm run test:real`: the acceptance tests against separate services on real servers. Every check counts
// as one test in the totals, which are the last line.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, installWhenNeeded, requireNode, root, run } from './setup.mjs'
import { totalsLine } from './totals.mjs'

requireNode()
installWhenNeeded()

const tool = (path, ...args) => run(process.execPath, [join(root, path), ...args])
const script = (name) => () => run('npm', ['run', '--silent', name])

const buildSteps = [
  ['build', build],
  ['bundles', () => tool('tools/build.mjs')],
]

/** The build stands first: lint asks for types across packages and finds them in what was built. */
const verifySteps = [
  ...buildSteps,
  ['generated files', () => tool('tools/generate-events.mjs', '--check')],
  ['gateway configuration', () => tool('tools/generate-gateway.mjs', '--check')],
  ['API description', () => tool('tools/generate-api.mjs', '--check')],
  ['schema rules', script('schemas:check')],
  ['format', script('format:check')],
  ['types', script('typecheck')],
  ['lint', script('lint')],
  ['direction of imports', script('direction')],
  ['dead code', script('deadcode')],
]

/** Runs the steps one after the other, also behind a failing one; says how many passed and failed. */
const runSteps = (steps) => {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  for (const [name, step] of steps) {
    const startedMs = Date.now()
    const { succeeded, output } = step()
    totals[succeeded ? 'passed' : 'failed'] += 1
    console.log(`${succeeded ? 'ok  ' : 'FAIL'}  ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`)
    if (!succeeded) console.log(output)
  }
  return totals
}

/** A bound for a run that hangs, behind its last test too: something that a test started is still open then. */
const JEST_RUN_MAX_MS = 30 * 60_000

/** Runs jest and reads the totals that its reporter leaves. A crash without totals is one failure. */
const runJest = ({ args, env = {} }) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-totals-'))
  const totalsFile = join(folder, 'totals.json')
  const nodeOptions = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim()
  const { status, error } = spawnSync(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...args], {
    cwd: root,
    env: { ...process.env, ...env, NODE_OPTIONS: nodeOptions, JEST_TOTALS_FILE: totalsFile },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: JEST_RUN_MAX_MS,
    killSignal: 'SIGKILL',
  })
  if (error?.code === 'ETIMEDOUT') console.log(`jest did not end within ${JEST_RUN_MAX_MS / 60_000} minutes, and was killed`)
  let totals = { passed: 0, failed: 0, skipped: 0 }
  try {
    totals = JSON.parse(readFileSync(totalsFile, 'utf8'))
  } catch {
    console.log('jest ended without totals')
  }
  rmSync(folder, { recursive: true })
  return status !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals
}

/** That of threads which project (law 8): tests that fill the machine would starve them otherwise. */
const TEST_NICE = 10
if (getPriority() < TEST_NICE) setPriority(TEST_NICE)

const jestArgs = process.argv.slice(2)
/** Apart from the tests that keep the machine busy: those of a cluster wait for half of their time, and tests on services go beside them. */
const FAULTS = 'test/faults'
const ACCEPTANCE = 'test/acceptance'
/** The acceptance tests once more, against separate services on real servers: `npm run test:real`, and where no test may be skipped. */
const onServices = (paths) => ({
  // The first start registers every schema in an empty registry, four services at once.
  args: ['--testTimeout', '90000', ...paths],
  env: { SWITCHYARD_TEST_REAL: '1', SWITCHYARD_TEST_TARGET: 'services' },
})
const isRealAlone = jestArgs[0] === '--real'
const areServersThere = process.env.SWITCHYARD_TEST_REAL === '1'

/** Tests wait for what they start, and some for time: three files at a time end a quarter sooner than two. Those of a cluster take longer by that. */
const BESIDE_WAITING = ['--maxWorkers', '3']

const everything = [
  { args: [...BESIDE_WAITING, '--testPathIgnorePatterns', '/dist/', FAULTS] },
  areServersThere ? onServices([FAULTS, ACCEPTANCE]) : { args: [FAULTS] },
]
const jestRunsOf = () => {
  if (isRealAlone) return [onServices(jestArgs.length > 1 ? jestArgs.slice(1) : [ACCEPTANCE])]
  return jestArgs.length > 0 ? [{ args: jestArgs }] : everything
}
const parts = [runSteps(jestArgs.length > 0 ? buildSteps : verifySteps), ...jestRunsOf().map(runJest)]
const sum = (name) => parts.reduce((total, part) => total + part[name], 0)
const totals = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
process.exitCode = totals.failed > 0 ? 1 : 0
process.stdout.write(`${totalsLine(totals)}\n`)
