import { describe, expect, test } from '@jest/globals'
import { costOverrides } from '@switchyard/costs'
import { createCostsOf } from './merchant-costs.ts'

const fee = { pctBps: 120, fixed: 0.1 }
type Overrides = typeof costOverrides.initialState

/** Costs of merchants of whom nothing is learned. */
const costsWith = (overrides: ReadonlyMap<string, Overrides>) =>
  createCostsOf(
    { stateOf: (slice, key) => (slice.name === costOverrides.name ? (overrides.get(key) as never) : undefined) ?? slice.initialState },
    { modelOf: () => undefined },
    {},
  )

describe('costs of merchants', () => {
  test('of whom nothing is learned and nothing is set, however many, share one table: none is made for a decision', () => {
    const costsOf = costsWith(new Map())
    const first = costsOf('merchant_0')
    expect(first).toMatchObject({ isEmpty: true, version: null })
    expect(Array.from({ length: 20_000 }, (_, index) => costsOf(`merchant_${index}`)).every((costs) => costs === first)).toBe(true)
  })

  test('are made once for what is set, and are those of nobody again when it is taken back', () => {
    const overrides = new Map<string, Overrides>()
    const costsOf = costsWith(overrides)
    const nobodys = costsOf('m')
    overrides.set('m', { ...costOverrides.initialState, connectors: [{ connector: 'adyen', fee, updatedAt: 1 }] })
    const set = costsOf('m')
    expect([set.isEmpty, costsOf('m') === set, costsOf('other') === nobodys]).toEqual([false, true, true])
    overrides.delete('m')
    expect(costsOf('m')).toBe(nobodys)
  })
})
