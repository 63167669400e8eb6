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
    expect(outcomeClassOf(status)).toBe(expected)
  })
})
