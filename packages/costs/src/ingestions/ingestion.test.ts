import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { absentIngestion, evolveIngestion, type Ingestion } from './ingestion.ts'
import { decideIngestion, type IngestionCommand, mustNotRace } from './ingestion-commands.ts'
import { ATTEMPT_COUNT_MAX, CLOCK_ERROR_MS, LEASE_MS, RETRY_FIRST_MS } from './limits.ts'

const T0 = 1_000_000
const ABSENT = absentIngestion('m', 1, 'i')

const acceptReport: IngestionCommand = {
  type: 'AcceptReport',
  connector: 'adyen',
  account: 'A',
  source: 'MANUAL',
  coversWholeDays: true,
  reference: null,
  byteCount: 10,
  at: T0,
}
const start = (claimId: string, at = T0, takesOver = false): IngestionCommand => ({ type: 'StartIngestion', claimId, takesOver, at })
const fail = (claimId: string, fails: 'always' | 'now', at = T0): IngestionCommand => ({
  type: 'FailIngestion',
  claimId,
  message: 'why',
  problems: [],
  fails,
  at,
})
const report = {
  chunkCount: 1,
  skippedCount: 0,
  unreadableCount: 0,
  firstDate: '2026-01-05',
  lastDate: '2026-01-05',
  grossByCurrency: { EUR: 1 },
  countries: ['NL'],
}
const finish = (claimId: string, at = T0): IngestionCommand => ({ type: 'FinishIngestion', claimId, rowCount: 7, report, problems: [], at })
const DELETE: IngestionCommand = { type: 'DeleteIngestion', at: T0 }

/** The ingestion after these commands, each decided on what stands; a refusal changes nothing. */
const after = (...commands: readonly IngestionCommand[]): Ingestion =>
  commands.reduce((ingestion, command, offset) => {
    const decision = decideIngestion(command, ingestion)
    return decision.accepted ? decision.events.reduce((state, event) => evolveIngestion(state, event, offset), ingestion) : ingestion
  }, ABSENT)

const rejectionOf = (command: IngestionCommand, ingestion: Ingestion) => {
  const decision = decideIngestion(command, ingestion)
  return decision.accepted ? null : decision.rejection.code
}

describe('an ingestion', () => {
  test('is accepted once', () => {
    const accepted = after(acceptReport)
    expect(accepted).toMatchObject({ status: 'PENDING', dueAt: T0, listedAt: T0 })
    expect(after(acceptReport, { ...acceptReport, account: 'B' })).toEqual(accepted)
  })
  test('is claimed by one, until the lease ends', () => {
    const claimed = after(acceptReport, start('one'))
    expect(claimed).toMatchObject({ status: 'PROCESSING', claimId: 'one', attemptCount: 1, dueAt: T0 + LEASE_MS })
    expect(rejectionOf(start('two'), claimed)).toBe('NOTHING_DUE')
    expect(after(acceptReport, start('one'), start('two', T0, true))).toMatchObject({ claimId: 'two', attemptCount: 2 })
    expect(after(acceptReport, start('one'), start('two', T0 + LEASE_MS))).toMatchObject({ claimId: 'two' })
  })
  test('whose time a wrong clock has set far ahead waits for nobody', () => {
    const [accepted, claimed] = [after(acceptReport), after(acceptReport, start('one'))]
    const failed = after(acceptReport, start('one'), fail('one', 'now'))
    const longest = [
      [accepted, 0],
      [claimed, LEASE_MS],
      [failed, RETRY_FIRST_MS],
    ] as const
    for (const [ingestion, waitMs] of longest) {
      const last = (ingestion.dueAt ?? 0) - waitMs - CLOCK_ERROR_MS
      expect(rejectionOf(start('two', last), ingestion)).toBe('NOTHING_DUE')
      expect(rejectionOf(start('two', last - 1), ingestion)).toBeNull()
    }
  })
  test('tells how far it is, which renews the lease', () => {
    const advance: IngestionCommand = { type: 'AdvanceIngestion', claimId: 'one', rowCount: 50_000, at: T0 + 5 }
    expect(after(acceptReport, start('one'), advance)).toMatchObject({ rowCount: 50_000, dueAt: T0 + 5 + LEASE_MS })
    expect(rejectionOf(advance, after(acceptReport, start('two')))).toBe('CLAIM_LOST')
  })
  test('counts once it is ingested, and is complete with the fit', () => {
    const ingested = after(acceptReport, start('one'), finish('one'))
    expect(ingested).toMatchObject({ status: 'INGESTED', rowCount: 7, unfittedSince: T0, acceptedOffset: 0, sequence: 2, report })
    expect(ingested.dueAt).toBeUndefined()
    const fit = { fitId: 'f', reportDate: '2026-01-06', clusterCount: 2, goodClusterCount: 1 }
    const data = { merchantId: 'm', ingestionId: 'i', merchantRegistrationCount: 1, at: T0, ...fit }
    const completed = evolveIngestion(ingested, { type: 'IngestionFitted', data }, 9)
    expect(completed).toMatchObject({ status: 'COMPLETED', fit })
    expect(completed.unfittedSince).toBeUndefined()
    expect(rejectionOf(start('two', T0 * 2), completed)).toBe('NOTHING_DUE')
  })
  test('takes its place by when it was accepted, however long it is read; the last time, if its connector told of it again', () => {
    const told: IngestionCommand = { ...acceptReport, source: 'WEBHOOK' }
    expect(after(acceptReport, start('one'), start('two', T0 + LEASE_MS), finish('two'))).toMatchObject({
      status: 'INGESTED',
      acceptedOffset: 0,
    })
    expect(after(told, start('one'), fail('one', 'always'), told, start('two'), finish('two'))).toMatchObject({ acceptedOffset: 3 })
  })
  test('is tried again later and later, then no more', () => {
    const failedOnce = after(acceptReport, start('one'), fail('one', 'now'))
    expect(failedOnce).toMatchObject({ status: 'PENDING', dueAt: T0 + RETRY_FIRST_MS, lastError: 'why', claimId: '' })
    const attempts = Array.from({ length: ATTEMPT_COUNT_MAX }, (_, index) => `c${index}`)
    const all = attempts.flatMap((claim, index) => [start(claim, T0 * 10 ** (index + 1)), fail(claim, 'now', T0 * 10 ** (index + 1))])
    expect(after(acceptReport, ...all)).toMatchObject({ status: 'FAILED', attemptCount: ATTEMPT_COUNT_MAX })
  })
  test('fails at once when the file is what is wrong', () => {
    expect(after(acceptReport, start('one'), fail('one', 'always'))).toMatchObject({ status: 'FAILED', attemptCount: 1 })
  })
  test('that failed begins anew when its connector tells of it again, and in no other case', () => {
    const told: IngestionCommand = { ...acceptReport, source: 'WEBHOOK', reference: Uint8Array.of(1), byteCount: null }
    const failed = after(told, start('one'), fail('one', 'always'))
    expect(failed).toMatchObject({ status: 'FAILED', lastError: 'why' })
    const again = after(told, start('one'), fail('one', 'always'), { ...told, at: T0 + 9 })
    expect(again).toMatchObject({ status: 'PENDING', attemptCount: 0, lastError: null, problems: [], dueAt: T0 + 9, createdAt: T0 + 9 })
    expect(again.version).toBeGreaterThan(failed.version)
    for (const source of ['POLL', 'MANUAL'] as const) {
      const other: IngestionCommand = { ...told, source }
      expect(after(other, start('one'), fail('one', 'always'), other)).toMatchObject({ status: 'FAILED' })
    }
    expect(after(told, start('one'), told)).toMatchObject({ status: 'PROCESSING' })
    expect(after(told, start('one'), finish('one'), told)).toMatchObject({ status: 'INGESTED' })
    expect(after(told, start('one'), DELETE, told)).toMatchObject({ status: 'DELETED' })
  })
  test('that ends its process every time is given up', () => {
    const claims = Array.from({ length: ATTEMPT_COUNT_MAX + 1 }, (_, index) => start(`c${index}`, T0 + index * LEASE_MS))
    expect(after(acceptReport, ...claims)).toMatchObject({ status: 'FAILED', lastError: expect.stringContaining('every attempt') })
  })
  test('that is deleted keeps nothing, and is to be fitted without when it had counted', () => {
    const deleted = after(acceptReport, start('one'), DELETE)
    expect(deleted).toMatchObject({ status: 'DELETED', connector: 'adyen', account: 'A', claimId: '' })
    expect(deleted.unfittedSince).toBeUndefined()
    expect(rejectionOf(finish('one'), deleted)).toBe('CLAIM_LOST')
    expect(rejectionOf(DELETE, deleted)).toBe('INGESTION_NOT_FOUND')
    const counted = after(acceptReport, start('one'), finish('one'), DELETE)
    expect(counted).toMatchObject({ status: 'DELETED', report: null, unfittedSince: T0 })
    expect(counted.sequence).toBeUndefined()
  })
  test('only a claim must not race', () => {
    const decision = decideIngestion(start('one'), after(acceptReport))
    expect(decision.accepted && decision.events.map(mustNotRace)).toEqual([true])
  })
  test('property: whatever happens, at most one claim counts, and what counts was claimed', () => {
    const step = fc.oneof(
      fc.constantFrom('one', 'two').chain((claim) => fc.constantFrom(start(claim, T0 + LEASE_MS), finish(claim), fail(claim, 'now'))),
      fc.constantFrom(acceptReport, DELETE),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const { status, report: told, sequence, listedAt, attemptCount } = after(acceptReport, ...steps)
        expect(status === 'INGESTED').toBe(told !== null)
        expect(sequence !== undefined).toBe(told !== null)
        expect(listedAt === undefined).toBe(status === 'DELETED')
        expect(attemptCount).toBeLessThanOrEqual(ATTEMPT_COUNT_MAX)
      }),
    )
  })
})
