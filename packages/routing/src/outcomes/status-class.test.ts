import { describe, expect, test } from '@jest/globals'
import { OUTCOME_STATUSES, statusClassOf, verdictOf } from './status-class.ts'

const report = { enforceFailure: false, ageMs: 0, latencyThresholdMs: 90_000 }

describe('status of a report', () => {
  test('all 22 statuses have a class', () => {
    const counts = { success: 0, failure: 0, open: 0 }
    for (const status of OUTCOME_STATUSES) counts[statusClassOf(status)]++
    expect(counts).toEqual({ success: 11, failure: 5, open: 6 })
  })

  test.each([
    ['CHARGED', true],
    ['VOID_FAILED', true],
    ['CAPTURE_FAILED', true],
    ['DECLINED', false],
    ['AUTHENTICATION_FAILED', false],
    ['PENDING_VBV', null],
    ['VBV_SUCCESSFUL', null],
  ])('%s says %s while it is fresh', (status, verdict) => {
    expect(verdictOf({ ...report, status })).toBe(verdict)
  })

  test('an open payment counts as failed from the latency threshold on', () => {
    expect(verdictOf({ ...report, status: 'PENDING', ageMs: 89_999 })).toBeNull()
    expect(verdictOf({ ...report, status: 'PENDING', ageMs: 90_000 })).toBe(false)
  })

  test('an enforced failure counts as failed whatever the status', () => {
    for (const status of OUTCOME_STATUSES) expect(verdictOf({ ...report, status, enforceFailure: true })).toBe(false)
  })

  test('a status of a later release is open', () => {
    expect(verdictOf({ ...report, status: 'constructor' })).toBeNull()
  })
})
