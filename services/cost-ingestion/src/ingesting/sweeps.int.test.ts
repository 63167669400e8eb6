import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { createManualTimers } from '@switchyard/testing'
import { ORPHAN_AGE_MS } from '../limits.ts'
import { createSampleJournal } from '../sample-journal.fixture.ts'
import { createSpool } from '../spool.ts'
import { createSweeps } from './sweeps.ts'

const ASKED = { connector: 'adyen', account: 'A', source: 'MANUAL', coversWholeDays: true, reference: null, byteCount: 1 } as const

test('the files of uploads that the log did not take lay in the spool until the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-spool-'))
  try {
    const { store, must } = createSampleJournal()
    const spool = createSpool(folder)
    const failures: unknown[] = []
    let isAway = true
    let nowMs = Date.now()
    const caughtUp = async (): Promise<void> => {
      if (isAway) throw new OperatingError('POSITION_NOT_REACHED', 'they lag behind', { retryable: true })
    }
    const report = { info: () => {}, failed: (_text: string, error: unknown) => void failures.push(error) }
    const sweeps = createSweeps({ spool, store, now: () => nowMs, report, caughtUp }, createManualTimers())
    for (const id of ['accepted', 'refused']) {
      const bytes = async function* () {
        yield Buffer.from('x')
      }
      await spool.keep(id, bytes(), 10)
    }
    await must('accepted', { type: 'AcceptReport', ...ASKED, at: 1 })

    isAway = false
    await sweeps.round()
    expect(readdirSync(folder)).toHaveLength(2)
    nowMs += ORPHAN_AGE_MS + 60_000
    isAway = true
    await sweeps.round()
    expect([readdirSync(folder).length, failures.length]).toEqual([2, 1])
    isAway = false
    await sweeps.round()
    expect(readdirSync(folder)).toEqual(['accepted.report'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
