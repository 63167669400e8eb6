import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLinkTokens } from './link-tokens.ts'

const links = createLinkTokens('a secret of at least 32 bytes, yes')
const named = { userId: 'ecb8d79b-2775-88fc-a16d-d02f26f0d461', linkId: '01a200eb-e2c7-7364-8e06-a8cf3d7a5059' }

describe('secrets of links', () => {
  test('name what they were made for, for every user and link', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (userId, linkId) => {
        expect(links.verify('reset-password', links.issue('reset-password', { userId, linkId }))).toEqual({ userId, linkId })
      }),
    )
  })
  test('are the same whenever they are made: a mail can go out again', () => {
    expect(links.issue('reset-password', named)).toBe(links.issue('reset-password', named))
  })
  test('are worth nothing for another purpose or under another secret', () => {
    const token = links.issue('reset-password', named)
    expect(links.verify('verify-email', token)).toBeUndefined()
    expect(createLinkTokens('another secret of at least 32 bytes').verify('reset-password', token)).toBeUndefined()
  })
  test('are refused when any of their bits was changed', () => {
    const bytes = Buffer.from(links.issue('reset-password', named), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(links.verify('reset-password', changed.toString('base64url'))).toBeUndefined()
    }
  })
  test('are refused when they are something else', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(links.verify('reset-password', text)).toBeUndefined()))
  })
})
