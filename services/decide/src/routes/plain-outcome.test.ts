import { describe, expect, test } from '@jest/globals'
import { OUTCOME_STATUSES } from '@switchyard/routing'
import fc from 'fast-check'
import * as z from 'zod'
import { ODD_TEXTS } from './odd-texts.fixture.ts'
import { outcomeSchema } from './outcome-wire.ts'
import { isPlainOutcome } from './plain-outcome.ts'

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(...ODD_TEXTS, 0, -0, 1.5, Number.POSITIVE_INFINITY, Number.NaN),
  fc.constantFrom<unknown>([], {}, ['a'], { gatewayLatency: null }, { gatewayLatency: 7 }, { gatewayLatency: 'x' }, { gatewayLatency: [] }),
  fc.constantFrom(...OUTCOME_STATUSES, 'charged', '__proto__', 'toString'),
)

const sound = {
  merchantId: 'm_1',
  gateway: 'adyen',
  paymentId: 'p_1',
  status: 'CHARGED',
  gatewayReferenceId: 'mca_1',
  enforceDynamicRoutingFailure: false,
  txnLatency: { gatewayLatency: 120 },
  isSmartRetry: true,
}
const members = Object.keys(sound)

describe('the quick check of reports', () => {
  test('knows every member of the schema; reports with an error are left to it', () => {
    const { properties = {} } = z.toJSONSchema(outcomeSchema)
    expect(Object.keys(properties).toSorted()).toEqual([...members, 'errorInfo'].toSorted())
    expect(isPlainOutcome(sound)).toBe(true)
    expect(isPlainOutcome({ ...sound, errorInfo: { connector: 'adyen' } })).toBe(false)
  })

  test('accepts what the schema accepts, whatever is changed in a sound report', () => {
    const changes = fc.array(fc.tuple(fc.constantFrom(...members), JUNK), { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(changes, (changed) => {
        const body = { ...sound, ...Object.fromEntries(changed) }
        expect(isPlainOutcome(body)).toBe(outcomeSchema.safeParse(body).success)
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([[null], [[]], ['text'], [7], [undefined]])('%j is no report', (body) => {
    expect(isPlainOutcome(body)).toBe(false)
  })
})
