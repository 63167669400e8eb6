import { describe, expect, test } from '@jest/globals'
import { cardIsinOf } from './card-isin.ts'

const asTheLogGivesItBack = (text: string | null): string => Buffer.from(text ?? '').toString()

describe('first digits of a card', () => {
  test.each([
    ['cut inside of a character', { cardIsin: '4111111😀' }],
    ['a half one in a source that is JSON', { paymentSource: '{"extended_card_bin":"4111\\ud83d"}' }],
  ])('half a character told scores apart by something that the log does not keep: %s', (_, payment) => {
    const digits = cardIsinOf(payment)
    expect(digits).toBe(asTheLogGivesItBack(digits))
  })

  test('whole characters stay', () => expect(cardIsinOf({ cardIsin: '411111😀' })).toBe('411111😀'))
})
