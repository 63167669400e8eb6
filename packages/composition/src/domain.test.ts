import { describe, expect, test } from '@jest/globals'
import { EVENT_CATALOGUE } from '@switchyard/events'
import { domainCollections, domainSlices, paymentProjections } from './domain.ts'

describe('what the projector stores', () => {
  test('slices are told apart by their names', () => {
    expect(new Set(domainSlices.map(({ name }) => name)).size).toBe(domainSlices.length)
  })

  test('every event of the topic config is folded by a slice, and no slice waits for another event', () => {
    const config = Object.entries(EVENT_CATALOGUE).flatMap(([type, { topic }]) => (topic === 'config' ? [type] : []))
    expect([...new Set(domainSlices.flatMap(({ folds }) => folds))].toSorted()).toEqual(config.toSorted())
  })

  test('every projection has its collection, declared once', () => {
    const names = domainCollections.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name } of paymentProjections) expect(names).toContain(name)
  })
})
