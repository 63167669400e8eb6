import { domainSlices } from '@switchyard/composition'
import { type ConfigEvent, EVENT_CATALOGUE, type EventCodec, type SwitchyardEvent } from '@switchyard/events'
import type { LogRecord } from '@switchyard/kernel'
import { createStreamFold, isPoison } from '@switchyard/runtime'
import type { Acknowledged } from '../load.ts'

/** Problems of one kind that are listed. */
const LISTED_COUNT_MAX = 5

const isConfigEvent = (event: SwitchyardEvent): event is ConfigEvent => EVENT_CATALOGUE[event.type].topic === 'config'

const counted = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The things that are not there exactly once. */
export const notOnce = (what: string, acknowledged: readonly string[], found: readonly string[]): readonly string[] => {
  const counts = counted(found)
  const wrong = acknowledged.filter((name) => counts.get(name) !== 1)
  const listed = wrong.slice(0, LISTED_COUNT_MAX).map((name) => `${name} (${counts.get(name) ?? 0} times)`)
  return wrong.length === 0 ? [] : [`${wrong.length} of ${acknowledged.length} ${what}: ${listed.join(', ')}`]
}

/** Events that can be read and took effect (law 5), each once: a copy of a record has the id of its original. */
export const eventsOf = (records: readonly LogRecord[], codec: EventCodec): readonly SwitchyardEvent[] => {
  const seen = new Set<string>()
  const config = createStreamFold(domainSlices)
  return records.flatMap((record) => {
    const { value, headers } = record
    if (seen.has(headers.id)) return []
    seen.add(headers.id)
    try {
      const event = codec.decode(value)
      return isConfigEvent(event) && config.apply(record, event) === 'ineffective' ? [] : [event]
    } catch (error) {
      if (isPoison(error)) return []
      throw error
    }
  })
}

/** An interval has one run of the self-tuning, whatever became of the process and its clock. */
const tunedTwice = (runs: readonly string[]): readonly string[] =>
  [...counted(runs)].filter(([, count]) => count > 1).map(([run, count]) => `the self-tuning ran ${count} times: ${run}`)

/** What is wrong, in words, with what the log holds of what was acknowledged. */
export const inTheLog = (
  events: readonly SwitchyardEvent[],
  { outcomes, keyIds, algorithmIds, webhookObjectIds, ingestionIds }: Acknowledged,
): readonly string[] => {
  const idsOf = (idOf: (event: SwitchyardEvent) => string | undefined): readonly string[] =>
    events.map(idOf).filter((id) => id !== undefined)
  return [
    ...notOnce(
      'acknowledged outcomes do not stand in the log once',
      outcomes,
      idsOf(({ type, data }) => (type === 'OutcomeRecorded' ? data.paymentId : undefined)),
    ),
    ...notOnce(
      'acknowledged keys do not stand in the log once',
      keyIds,
      idsOf(({ type, data }) => (type === 'ApiKeyIssued' ? data.keyId : undefined)),
    ),
    ...notOnce(
      'acknowledged algorithms do not stand in the log once',
      algorithmIds,
      idsOf(({ type, data }) => (type === 'RoutingAlgorithmDrafted' ? data.algorithmId : undefined)),
    ),
    ...notOnce(
      'acknowledged webhook events do not stand in the log once',
      webhookObjectIds,
      idsOf(({ type, data }) => (type === 'WebhookEventAccepted' ? data.objectId : undefined)),
    ),
    ...notOnce(
      'acknowledged reports do not stand in the log once',
      ingestionIds,
      idsOf(({ type, data }) => (type === 'SettlementReportAccepted' ? data.ingestionId : undefined)),
    ),
    ...tunedTwice(idsOf(({ type, data }) => (type === 'ScoringCalibrated' ? `${data.merchantId} ${data.intervalStartAt}` : undefined))),
  ]
}
