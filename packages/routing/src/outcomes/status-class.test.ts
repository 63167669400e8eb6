import { describe, expect, test } from '@jest/globals'
import { OUTCOME_STATUSES, recordedClassOf, statusClassOf, verdictOf } from './status-class.ts'

const report = { enforceFailure: false, ageMs: 0, latencyThresholdMs: 90_000 }

describe('status of a report', () => {
  test('all 22 statuses have a class', () => {
    const counts = { SUCCESS: 0, FAILURE: 0, OPEN: 0 }
    for (const status of OUTCOME_STATUSES) counts[statusClassOf(status)]++
    expect(counts).toEqual({ SUCCESS: 11, FAILURE: 5, OPEN: 6 })
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
    expect(verdictOf({ ...report, statusClass: statusClassOf(status) })).toBe(verdict)
  })

  test('an open payment counts as failed from the latency threshold on', () => {
    expect(verdictOf({ ...report, statusClass: 'OPEN', ageMs: 89_999 })).toBeNull()
    expect(verdictOf({ ...report, statusClass: 'OPEN', ageMs: 90_000 })).toBe(false)
  })

  test('an enforced failure counts as failed whatever the status', () => {
    for (const status of OUTCOME_STATUSES)
      expect(verdictOf({ ...report, statusClass: statusClassOf(status), enforceFailure: true })).toBe(false)
  })

  test('the class that was recorded with a status stands; without one the status is looked up here', () => {
    expect(recordedClassOf('SETTLED_LATER', 'SUCCESS')).toBe('SUCCESS')
    expect(recordedClassOf('CHARGED', 'FAILURE')).toBe('FAILURE')
    expect(recordedClassOf('CHARGED', null)).toBe('SUCCESS')
    expect(recordedClassOf('CHARGED', 'UNKNOWN')).toBe('SUCCESS')
  })

  test('a status of a later release is open', () => {
    expect(verdictOf({ ...report, statusClass: statusClassOf('constructor') })).toBeNull()
  })
})
