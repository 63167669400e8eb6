import { expect, test } from '@jest/globals'
import * as sheet from '@switchyard/webhooks'
import { DISPATCH_LIMITS, INBOUND_EVENT_BYTES_MAX, MANUAL_RETRIES_PER_SECOND_MAX } from './limits.ts'

const DAY_MS = 86_400_000

test('the numbers are those of the contract (webhooks.md 17)', () => {
  expect({
    attemptsUnderWay: DISPATCH_LIMITS.underWayMax,
    breaker: DISPATCH_LIMITS.breaker,
    bodyBytes: INBOUND_EVENT_BYTES_MAX,
    manualRetriesPerSecond: MANUAL_RETRIES_PER_SECOND_MAX,
    dedupeMs: sheet.DEDUPE_WINDOW_MS,
    retentionMs: sheet.CONTENT_RETENTION_MS,
    disabledAfter: [sheet.DISABLE_AFTER_MS, sheet.DISABLE_AFTER_FAILURES],
    recovered: [sheet.RECOVERY_SPAN_MAX_MS, sheet.RECOVERY_EVENT_COUNT_MAX],
    recoveryGraceMs: sheet.RECOVERY_GRACE_MS,
    listed: [sheet.LIST_LIMIT_MAX, sheet.LIST_WINDOW_DAYS],
    previousSecrets: sheet.PREVIOUS_SECRET_COUNT_MAX,
    retryKeyMs: sheet.RETRY_KEY_WINDOW_MS,
  }).toEqual({
    attemptsUnderWay: 512,
    breaker: { windowMs: 300_000, callCountMin: 10, failureShare: 0.7, openMsMin: 30_000, openMsMax: 600_000 },
    bodyBytes: 262_144,
    manualRetriesPerSecond: 10,
    dedupeMs: 7 * DAY_MS,
    retentionMs: 90 * DAY_MS,
    disabledAfter: [5 * DAY_MS, 20],
    recovered: [14 * DAY_MS, 10_000],
    recoveryGraceMs: 5_000,
    listed: [100, 90],
    previousSecrets: 2,
    retryKeyMs: DAY_MS,
  })
})
