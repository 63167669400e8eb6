import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import * as z from 'zod'
import { AUTH_TYPES, CARD_TYPES, decisionSchema, PAYMENT_TYPES, RANKING_ALGORITHMS } from './decision-wire.ts'
import { ODD_TEXTS } from './odd-texts.fixture.ts'
import { isPlainDecision } from './plain-decision.ts'

const JUNK = fc.oneof(
  fc.constantFrom(...ODD_TEXTS, 'x'.repeat(8_193)),
  fc.constantFrom<unknown>(0, -0, 1.5, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, Number.POSITIVE_INFINITY, Number.NaN),
  fc.constantFrom<unknown>(
    [],
    {},
    ['a'],
    [''],
    [null],
    [7],
    Array.from({ length: 101 }, () => 'a'),
    { length: 0 },
  ),
  fc.constantFrom('EUR', 'eur', 'XXX', 'DE', 'QZ', 'ZZ', 'de', 'CARD', 'toString', '__proto__'),
  fc.constantFrom(...PAYMENT_TYPES, ...AUTH_TYPES, ...CARD_TYPES, ...RANKING_ALGORITHMS),
)

const sound = {
  merchantId: 'm_1',
  eligibleGatewayList: ['a', 'b'],
  rankingAlgorithm: 'SR_BASED_ROUTING',
  eliminationEnabled: true,
  enableMultiObjective: null,
  paymentInfo: {
    paymentId: 'p_1',
    amount: 10.5,
    currency: 'EUR',
    country: 'DE',
    customerId: 'c_1',
    udfs: ['a', null],
    preferredGateway: 'a',
    paymentType: 'ORDER_PAYMENT',
    metadata: '{}',
    internalMetadata: '{}',
    isEmi: false,
    emiBank: 'b',
    emiTenure: 3,
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    paymentSource: 's',
    authType: 'THREE_DS2',
    cardIssuerBankName: 'n',
    cardIsin: '411111',
    cardType: 'CREDIT',
    cardSwitchProvider: 'VISA',
    cardProgram: 'p',
    cardIssuerCountry: 'US',
    channel: 'ecom',
  },
}
const topMembers = Object.keys(sound)
const paymentMembers = Object.keys(sound.paymentInfo)

describe('the quick check of decision requests', () => {
  test('knows every member of the schema', () => {
    const { properties = {} } = z.toJSONSchema(decisionSchema)
    expect(Object.keys(properties).toSorted()).toEqual(topMembers.toSorted())
    expect(Object.keys(Object(properties['paymentInfo']).properties).toSorted()).toEqual(paymentMembers.toSorted())
    expect(isPlainDecision(sound)).toBe(true)
  })

  test('accepts what the schema accepts, whatever is changed in a sound request', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...topMembers, ...paymentMembers), JUNK), { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(changes, (changed) => {
        const body: Record<string, unknown> = { ...sound, paymentInfo: { ...sound.paymentInfo } }
        for (const [name, value] of changed) {
          const info = body['paymentInfo']
          if (topMembers.includes(name)) body[name] = value
          else if (typeof info === 'object' && info !== null) Reflect.set(info, name, value)
        }
        expect(isPlainDecision(body)).toBe(decisionSchema.safeParse(body).success)
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([[null], [[]], ['text'], [7], [undefined]])('%j is no request', (body) => {
    expect(isPlainDecision(body)).toBe(false)
  })
})
