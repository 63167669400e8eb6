import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AgingLimits, AgingMap } from './aging-map.ts'
import type { OpenDecision } from './open-decision.ts'
import { OPEN_DECISION_CELLS } from './open-decision-cells.ts'
import { compactTraits, SHORT_TRAITS_LENGTH_MAX, withTraitKeys } from './payment-traits.ts'

/** Room for three of the long ones. */
const TRAITS_LENGTH_MAX = 4_000
const LIMITS: AgingLimits = { countMax: 20, ageMsMax: 1_000, lengthMax: TRAITS_LENGTH_MAX }

const traitsFor = (paymentMethod: string) =>
  withTraitKeys({
    paymentMethodType: 'CARD',
    paymentMethod,
    cardNetwork: null,
    currency: 'EUR',
    country: null,
    authType: null,
    dimensionKey: paymentMethod,
    candidates: ['adyen', 'stripe'],
    bucketSize: 10,
    latencyThresholdMs: 1_000,
    outcomeWindowMs: null,
    adaptive: false,
    healthGroup: paymentMethod,
    elimination: null,
    bySuccessRate: true,
  })
const SHORT_TRAITS = ['CREDIT', 'DEBIT'].map(traitsFor)
const LONG_TRAITS = ['A', 'B', 'C', 'D', 'E'].map((letter) => compactTraits(traitsFor(letter.repeat(400))))

const decisions: fc.Arbitrary<OpenDecision> = fc.record({
  at: fc.oneof(fc.nat(2_000), fc.maxSafeInteger(), fc.constantFrom(-1, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), Date.UTC(2026, 0, 1))),
  traits: fc.constantFrom(...SHORT_TRAITS, ...LONG_TRAITS),
  cardIsIn: fc.option(fc.constantFrom('411111', '55555555', '')),
  epoch: fc.nat(3),
  counted: fc.constant(null),
})

type Step =
  | { readonly kind: 'add' | 'replace'; readonly key: number; readonly decision: OpenDecision }
  | { readonly kind: 'delete' | 'count'; readonly key: number }

const key = fc.nat(30)
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), key, decision: decisions }) },
    fc.record({ kind: fc.constant('replace' as const), key, decision: decisions }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'count' as const), key }),
  ),
  { maxLength: 300, size: 'max' },
)

const fieldsOf = ({ at, traits, cardIsIn, epoch, counted }: OpenDecision): OpenDecision => ({ at, traits, cardIsIn, epoch, counted })

const take = (book: AgingMap<OpenDecision>, step: Step, sequence: number): void => {
  const name = `p_${step.key}`
  if (step.kind === 'add') book.add(name, fieldsOf(step.decision))
  else if (step.kind === 'replace') book.replace(name, fieldsOf(step.decision))
  else if (step.kind === 'delete') book.delete(name)
  else {
    const open = book.get(name)
    if (open !== undefined)
      open.counted = {
        gateway: 'stripe',
        sequence,
        success: false,
        isFinal: true,
        otherHealth: false,
        uncounted: null,
        earlier: open.counted,
      }
  }
}

/** Characters of the keys of the different long traits. */
const lengthOf = (open: readonly OpenDecision[]): number => {
  const keys = new Set(open.map(({ traits }) => traits.key).filter(({ length }) => length > SHORT_TRAITS_LENGTH_MAX))
  return [...keys].reduce((sum, { length }) => sum + length, 0)
}

const openIn = (book: AgingMap<OpenDecision>): readonly OpenDecision[] => [...book.entries()].map(([, open]) => open)

describe('open decisions in columns', () => {
  test('are what an object for each would be', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const columns = new AgingMap<OpenDecision>(LIMITS, OPEN_DECISION_CELLS)
        const objects = new AgingMap<OpenDecision>(LIMITS)
        for (const [sequence, step] of all.entries()) {
          take(columns, step, sequence)
          take(objects, step, sequence)
          if (step.kind === 'add') {
            while (objects.size > 1 && lengthOf(openIn(objects)) > TRAITS_LENGTH_MAX) {
              const [[oldest = ''] = []] = objects.entries()
              objects.delete(oldest)
            }
          }
          expect([...columns.entries()].map(([name, open]) => [name, fieldsOf(open)])).toEqual([...objects.entries()])
        }
      }),
    )
  })

  test('hold equal long traits once, wherever they come from', () => {
    const book = new AgingMap<OpenDecision>(LIMITS, OPEN_DECISION_CELLS)
    const open = { at: 0, cardIsIn: null, epoch: 0, counted: null }
    for (let n = 0; n < 10; n++) book.add(`p_${n}`, { ...open, traits: traitsFor('A'.repeat(400)) })
    expect(book.size).toBe(10)
    expect(new Set(openIn(book).map(({ traits }) => traits)).size).toBe(1)
  })

  test('what was counted for a payment is not found in the slot behind it', () => {
    const book = new AgingMap<OpenDecision>({ countMax: 1, ageMsMax: 1_000 }, OPEN_DECISION_CELLS)
    const [traits = traitsFor('CREDIT')] = SHORT_TRAITS
    const decision: OpenDecision = { at: 0, traits, cardIsIn: '411111', epoch: 0, counted: null }
    book.add('first', {
      ...decision,
      counted: { gateway: 'adyen', sequence: 1, success: true, isFinal: true, otherHealth: false, uncounted: null, earlier: null },
    })
    for (let n = 0; n < 10; n++) book.add(`p_${n}`, { ...decision, cardIsIn: null })
    expect([...book.entries()].map(([name, { counted, cardIsIn }]) => [name, counted, cardIsIn])).toEqual([['p_9', null, null]])
  })
})
