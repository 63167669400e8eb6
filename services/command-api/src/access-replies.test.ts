import { describe, expect, test } from '@jest/globals'
import { replyToRejection } from './access-replies.ts'

describe('answers to rejected commands about access', () => {
  test.each(['HANDOFF_LIMIT_REACHED', 'TOO_MANY_REVOKED_SESSIONS'] as const)('%s says when to come again', (code) => {
    expect(replyToRejection({ code })).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  })
})
