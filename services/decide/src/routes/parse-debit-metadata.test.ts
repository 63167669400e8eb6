import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseDebitMetadata } from './parse-debit-metadata.ts'

const CARD = {
  co_badged_card_networks: ['MASTERCARD', 'ACCEL', 'NYCE'],
  issuer_country: 'US',
  is_regulated: false,
  regulated_name: null,
  card_type: 'debit',
}
const DOCUMENT = { merchant_category_code: 'merchant_category_code_0001', acquirer_country: 'US', co_badged_card_data: CARD }
const parsed = (card: object = {}, document: object = {}) =>
  parseDebitMetadata(JSON.stringify({ ...DOCUMENT, co_badged_card_data: { ...CARD, ...card }, ...document }))

describe('metadata of debit payments (network.md 3)', () => {
  test('the example of the sheet; unknown keys are ignored', () => {
    expect(parsed({ more: 1 }, { more: {} })).toEqual({
      details: {
        merchantCategoryCode: 'merchant_category_code_0001',
        acquirerCountry: 'US',
        card: {
          networks: ['MASTERCARD', 'ACCEL', 'NYCE'],
          issuerCountry: 'US',
          isRegulated: false,
          regulatedName: null,
          cardType: 'debit',
          source: 'METADATA',
        },
      },
    })
  })

  test('half a character in a text was answered as it came, which strict readers of JSON refuse', () =>
    expect(parsed({ regulated_name: 'EXEMPT \ud83d' }).details?.card?.regulatedName).toBe('EXEMPT \ufffd'))

  test('both names of the list; the longer one counts', () => {
    const networksOf = (card: object) => parsed(card).details?.card?.networks
    expect(networksOf({ co_badged_card_networks: undefined, card_networks: ['VISA'] })).toEqual(['VISA'])
    expect(networksOf({ co_badged_card_networks: null, card_networks: ['VISA'] })).toEqual(['VISA'])
    expect(networksOf({ card_networks: ['VISA'] })).toEqual(CARD.co_badged_card_networks)
    expect(networksOf({ co_badged_card_networks: [], card_networks: ['VISA'] })).toEqual([])
  })

  test('what may be missing', () => {
    expect(parseDebitMetadata('{}')).toEqual({ details: { merchantCategoryCode: null, acquirerCountry: null, card: null } })
    expect(parsed({}, { co_badged_card_data: null })).toMatchObject({ details: { card: null } })
    // As sent, however short (network.md 7).
    expect(parsed({ regulated_name: '' })).toMatchObject({ details: { card: { regulatedName: '' } } })
    expect(parsed({ regulated_name: undefined })).toMatchObject({ details: { card: { regulatedName: null } } })
    expect(parsed({ regulated_name: 'any', card_type: 'credit' })).toMatchObject({
      details: { card: { regulatedName: 'any', cardType: 'credit' } },
    })
    expect(parsed({}, { merchant_category_code: 'any' })).toMatchObject({ details: { merchantCategoryCode: 'any' } })
  })

  test.each([
    ['absent', undefined, 'missing field `paymentInfo.metadata`'],
    ['null', null, 'missing field `paymentInfo.metadata`'],
    ['empty', '', 'missing field `paymentInfo.metadata`'],
    ['not JSON', '{', 'paymentInfo.metadata is no JSON document'],
    ['no object', '7', 'paymentInfo.metadata: invalid type'],
    ['null as text', 'null', 'paymentInfo.metadata: invalid type'],
  ])('metadata that are %s', (_name, metadata, problem) => {
    expect(parseDebitMetadata(metadata).problem).toContain(problem)
  })

  test.each([
    [{}, { merchant_category_code: 7 }, '`merchant_category_code`'],
    [{}, { acquirer_country: 'us' }, '`acquirer_country`: expected an ISO 3166 alpha-2 code in upper case'],
    [{}, { acquirer_country: 'ZZ' }, '`acquirer_country`'],
    [{}, { co_badged_card_data: [] }, '`co_badged_card_data`'],
    [{ issuer_country: undefined }, {}, 'missing field `co_badged_card_data.issuer_country`'],
    [{ issuer_country: 'us' }, {}, '`co_badged_card_data.issuer_country`'],
    [{ is_regulated: undefined }, {}, 'missing field `co_badged_card_data.is_regulated`'],
    [{ is_regulated: 'false' }, {}, '`co_badged_card_data.is_regulated`'],
    [{ card_type: undefined }, {}, 'missing field `co_badged_card_data.card_type`'],
    [{ card_type: 'DEBIT' }, {}, '`co_badged_card_data.card_type`'],
    [{ regulated_name: 1 }, {}, '`co_badged_card_data.regulated_name`'],
    [{ co_badged_card_networks: undefined }, {}, 'missing field `co_badged_card_data.co_badged_card_networks`'],
    [{ co_badged_card_networks: 'VISA' }, {}, '`co_badged_card_data.co_badged_card_networks`'],
    [{ co_badged_card_networks: ['VISA', null] }, {}, '`co_badged_card_data.co_badged_card_networks[1]`'],
    [{ co_badged_card_networks: Array.from({ length: 101 }, () => 'VISA') }, {}, '`co_badged_card_data.co_badged_card_networks`'],
  ])('%j, %j names the member', (card, document, problem) => {
    expect(parsed(card, document).problem).toContain(problem)
  })

  test('what looks like a card number does not get further, nor does a long name', () => {
    const { card } =
      parsed({ regulated_name: 'of 4111 1111 1111 1111', co_badged_card_networks: ['4111111111111111', 'x'.repeat(500)] }).details ?? {}
    expect(card).toMatchObject({ regulatedName: 'of [digits]', networks: ['[digits]', 'x'.repeat(64)] })
  })

  test('any text is read or told to be wrong', () => {
    const json = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => `{"co_badged_card_data":${text}}`),
    )
    fc.assert(
      fc.property(json, (text) => {
        const { details, problem } = parseDebitMetadata(text)
        expect(details === undefined).toBe(typeof problem === 'string')
      }),
      { numRuns: 1_000 },
    )
  })
})
