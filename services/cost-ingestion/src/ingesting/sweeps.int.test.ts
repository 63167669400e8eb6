import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
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
    const sweptAt: number[] = []
    let isAway = false
    let nowMs = Date.now()
    const timers = createManualTimers()
    const caughtUp = async (): Promise<void> => {
      sweptAt.push(nowMs)
      if (isAway) throw new OperatingError('POSITION_NOT_REACHED', 'they lag behind', { retryable: true })
    }
    const report = { info: () => {}, failed: (_text: string, error: unknown) => void failures.push(error) }
    const sweeps = createSweeps({ spool, store, now: () => nowMs, report, isAlone: false, caughtUp }, timers)
    /** Time passes, and what comes of it. */
    const pass = async (until: () => boolean): Promise<void> => {
      nowMs += ORPHAN_AGE_MS + 60_000
      timers.advance(ORPHAN_AGE_MS)
      while (!until()) await setTimeout(1)
    }
    for (const id of ['accepted', 'refused']) {
      const bytes = async function* () {
        yield Buffer.from('x')
      }
      await spool.keep(id, bytes(), 10)
    }
    await must('accepted', { type: 'AcceptReport', ...ASKED, at: 1 })

    await sweeps.start()
    expect([readdirSync(folder).length, sweptAt.length]).toEqual([2, 1])
    isAway = true
    await pass(() => failures.length === 1)
    expect(readdirSync(folder)).toHaveLength(2)
    isAway = false
    await pass(() => readdirSync(folder).length === 1)
    expect(readdirSync(folder)).toEqual(['accepted.report'])
    await sweeps.stop()
    expect(sweptAt).toHaveLength(3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
