import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'

/** Batches on their way to the disk at once. */
const BATCH_IN_FLIGHT_MAX = 8
const BATCH_RECORD_COUNT = 1_000

export const codec = createEventCodec(publishedSchemaIds(), { strict: false })

/** The record of an event of this number. */
export const recordOf = (event, number) => ({
  key: event.data.merchantId,
  value: codec.encode(event),
  headers: { id: `event-${number}`, type: EVENT_CATALOGUE[event.type].subject, correlation: event.data.requestId ?? `request-${number}` },
})

/**
 * Appends events to a topic, in batches of which several are under way; gives their count and bytes. Needs the compiled packages
 * (`npx tsc -b`).
 *
 * @param {Pick<import('@switchyard/kernel').EventLog, 'append'>} log
 * @param {import('@switchyard/kernel').Topic} topic
 * @param {Iterable<import('@switchyard/events').SwitchyardEvent>} events
 */
export const writeHistory = async (log, topic, events) => {
  const inFlight = []
  let batch = []
  let eventCount = 0
  let bytes = 0
  const flush = async () => {
    inFlight.push(log.append(topic, batch))
    batch = []
    if (inFlight.length >= BATCH_IN_FLIGHT_MAX) await inFlight.shift()
  }
  for (const event of events) {
    eventCount += 1
    const record = recordOf(event, eventCount)
    bytes += record.value.length
    batch.push(record)
    if (batch.length === BATCH_RECORD_COUNT) await flush()
  }
  if (batch.length > 0) await flush()
  await Promise.all(inFlight)
  return { eventCount, bytes }
}
