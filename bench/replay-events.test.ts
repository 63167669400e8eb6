import { describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { replayEvents } from './replay-events.mjs'

describe('the history of the replay', () => {
  const events = [...replayEvents(1_000)]

  test('has as many events as asked for, half of them outcomes', () => {
    expect(events).toHaveLength(1_000)
    expect(events.filter(({ type }) => type === 'OutcomeRecorded')).toHaveLength(500)
  })

  test('every outcome comes after its decision, for a gateway that was decided', () => {
    const decided = new Map<string, string>()
    const undecided = events.filter(({ type, data }) => {
      if (type === 'OutcomeRecorded') return decided.get(data.paymentId) !== data.gateway
      decided.set(data.paymentId, data.gateway)
      return false
    })
    expect(undecided).toEqual([])
  })

  test('fits the schemas', () => {
    const codec = createEventCodec(publishedSchemaIds(), { strict: true })
    for (const event of events) expect(codec.decode(codec.encode(event))).toEqual(event)
  })
})
