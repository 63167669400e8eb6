import { expect, test } from '@jest/globals'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds, type RoutingAlgorithmDrafted } from '@switchyard/events'
import type { LogRecord } from '@switchyard/kernel'
import { nothingAcknowledged } from '../load.ts'
import { eventsOf, inTheLog } from './in-the-log.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })

const drafted = (algorithmId: string): RoutingAlgorithmDrafted => ({
  type: 'RoutingAlgorithmDrafted',
  data: {
    merchantId: 'm_1',
    algorithmId,
    name: algorithmId,
    description: '',
    purpose: 'PAYMENT',
    kind: 'SINGLE',
    definition: '{"type":"single","data":{"gateway_name":"adyen"}}',
    metadata: null,
    at: 1,
  },
})

const recordOf = (event: RoutingAlgorithmDrafted, offset: number, expectedVersion: number): LogRecord => ({
  key: 'm_1',
  value: codec.encode(event),
  headers: { id: `record_${offset}`, type: EVENT_CATALOGUE[event.type].subject, expectedVersion },
  position: { partition: 0, offset },
})

const problemsOf = (records: readonly LogRecord[], algorithmIds: string[]) =>
  inTheLog(eventsOf(records, codec), { ...nothingAcknowledged(), algorithmIds })

test('a command that was beaten by one whose answer had been given up, and decided again, is not taken for a copy', () => {
  const records = [recordOf(drafted('given_up'), 0, 0), recordOf(drafted('a'), 1, 0), recordOf(drafted('a'), 2, 1)]
  expect(problemsOf(records, ['a'])).toEqual([])
})

test('what was acknowledged and has no effect is found, and what took effect twice', () => {
  const beaten = [recordOf(drafted('winner'), 0, 0), recordOf(drafted('a'), 1, 0)]
  expect(problemsOf(beaten, ['a'])).toEqual(['1 of 1 acknowledged algorithms do not stand in the log once: a (0 times)'])
  const twice = [recordOf(drafted('a'), 0, 0), recordOf(drafted('a'), 1, 1)]
  expect(problemsOf(twice, ['a'])).toEqual(['1 of 1 acknowledged algorithms do not stand in the log once: a (2 times)'])
})
