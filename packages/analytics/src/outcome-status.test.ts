import { describe, expect, test } from '@jest/globals'
import { outcomeClassOf } from './outcome-status.ts'

describe('what a status says about the payment', () => {
  test.each([
    ['CHARGED', 'approved'],
    ['charged', 'approved'],
    ['AUTHORIZED', 'approved'],
    ['CAPTURE_FAILED', 'approved'],
    ['FAILURE', 'declined'],
    ['failure', 'declined'],
    ['DECLINED', 'declined'],
    ['AUTHORIZATION_FAILED', 'declined'],
    ['PENDING_VBV', 'pending'],
    ['STARTED', 'pending'],
    ['', 'pending'],
  ])('%s is %s', (status, expected) => {
    expect(outcomeClassOf(status, null)).toBe(expected)
    expect(outcomeClassOf(status, 'UNKNOWN')).toBe(expected)
  })

  test('what was recorded with the status stands, whatever its name says here', () => {
    expect(outcomeClassOf('SETTLED_LATER', 'SUCCESS')).toBe('approved')
    expect(outcomeClassOf('CHARGED', 'FAILURE')).toBe('declined')
    expect(outcomeClassOf('FAILURE', 'OPEN')).toBe('pending')
  })
})
