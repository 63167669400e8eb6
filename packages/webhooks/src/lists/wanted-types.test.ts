import { describe, expect, test } from '@jest/globals'
import type { EventClass, EventType } from '../event-types.ts'
import { typesOf } from '../event-types.ts'
import { wantedTypes } from './wanted-types.ts'

const wanted = (classes: readonly EventClass[], types: readonly EventType[]) => {
  const found = wantedTypes(classes, types)
  return found instanceof Set ? [...found].toSorted() : found
}

describe('classes and types of a list', () => {
  test('nothing filters nothing', () => {
    expect(wanted([], [])).toBeUndefined()
  })

  test('types alone are taken as they are', () => {
    expect(wanted([], ['refund_failed', 'invoice_paid'])).toEqual(['invoice_paid', 'refund_failed'])
  })

  test('classes alone stand for all their types', () => {
    expect(wanted(['refunds', 'mandates'], [])).toEqual([...typesOf('refunds'), ...typesOf('mandates')].toSorted())
  })

  test('a class of which no type is named is added whole', () => {
    expect(wanted(['payments', 'refunds'], ['payment_failed'])).toEqual(
      ['payment_failed', 'refund_succeeded', 'refund_failed', 'surcharge_refund_succeeded'].toSorted(),
    )
  })

  test('a type of no named class is refused', () => {
    expect(wanted(['refunds'], ['payment_failed'])).toBe('not-a-subset')
  })
})
