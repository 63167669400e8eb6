import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import * as z from 'zod'
import { debitMetadataSchema } from './debit-metadata-wire.ts'
import { ODD_TEXTS } from './odd-texts.fixture.ts'
import { isPlainDebitMetadata } from './plain-debit-metadata.ts'

const JUNK = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.constantFrom<unknown>(0, 1.5, false, [], {}, ['VISA'], [''], [null], [7], ['x'.repeat(500)], { length: 0 }),
  fc.constantFrom<unknown>(
    Array.from({ length: 100 }, () => 'VISA'),
    Array.from({ length: 101 }, () => 'VISA'),
  ),
  fc.constantFrom('US', 'us', 'ZZ', 'QZ', 'debit', 'credit', 'DEBIT', 'toString', '__proto__'),
)

const card = {
  co_badged_card_networks: ['VISA', 'STAR'],
  card_networks: ['NYCE'],
  issuer_country: 'US',
  is_regulated: false,
  regulated_name: 'any',
  card_type: 'debit',
}
const sound = { merchant_category_code: 'code', acquirer_country: 'US', co_badged_card_data: card }
const topMembers = Object.keys(sound)
const cardMembers = Object.keys(card)

describe('the quick check of debit metadata', () => {
  test('knows every member of the schema', () => {
    const { properties = {} } = z.toJSONSchema(debitMetadataSchema)
    expect(Object.keys(properties).toSorted()).toEqual(topMembers.toSorted())
    const [ofCard] = Object(properties['co_badged_card_data']).anyOf
    expect(Object.keys(ofCard.properties).toSorted()).toEqual(cardMembers.toSorted())
    expect(isPlainDebitMetadata(sound)).toBe(true)
  })

  test('accepts what the schema accepts, whatever is changed in a sound document', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...topMembers, ...cardMembers), JUNK), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(changes, (changed) => {
        const document: Record<string, unknown> = { ...sound, co_badged_card_data: { ...card } }
        for (const [name, value] of changed) {
          const sent = document['co_badged_card_data']
          if (topMembers.includes(name)) document[name] = value
          else if (typeof sent === 'object' && sent !== null) Reflect.set(sent, name, value)
        }
        expect(isPlainDebitMetadata(document)).toBe(debitMetadataSchema.safeParse(document).success)
      }),
      { numRuns: 3_000 },
    )
  })

  test.each([[null], [[]], ['text'], [7], [undefined]])('%j is no document', (document) => {
    expect(isPlainDebitMetadata(document)).toBe(false)
  })
})
