// Whether figures are what the raw topic says, and replaying gives the same read models: `npm run bench:figures`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownEnvironment } from '../../demo/standalone.mjs'
import { compareFigures } from './figures.mjs'

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 1_000_000)
const OPERATOR = fileURLToPath(new URL('../../services/operator/bin/switchyard.mjs', import.meta.url))
const seconds = (ms) => `${Math.round(ms / 1_000)} s`

/** `switchyard verify` of all read models of the topic, as an operator asks for it. */
const verify = (folder) => {
  const begunAt = performance.now()
  const env = { ...ownEnvironment(), SWITCHYARD_DATA_DIR: folder }
  const { status, stdout } = spawnSync(process.execPath, [OPERATOR, 'verify', 'payments'], { env, encoding: 'utf8' })
  console.log(`switchyard verify payments, ${seconds(performance.now() - begunAt)}: ${stdout.trim().split('\n').at(-1)}`)
  return status === 0
}

const folder = mkdtempSync(join(tmpdir(), 'switchyard-figures-'))
try {
  const { isCountedAlike, expected, told, differences, replayMs } = await compareFigures({ seed: 1, eventCount: EVENTS, folder })
  console.log(`a day of ${EVENTS} random events: figures ${isCountedAlike ? 'equal' : 'DIFFER FROM'} those counted from the raw topic`)
  if (!isCountedAlike) console.log(`counted: ${expected}\n   read: ${told}`)
  console.log(
    `replayed in ${seconds(replayMs)}: ${differences.length === 0 ? 'the same read models' : `differences in ${differences.join(', ')}`}`,
  )
  const isVerified = verify(folder)
  process.exitCode = isCountedAlike && differences.length === 0 && isVerified ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
