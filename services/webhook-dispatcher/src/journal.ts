import { EVENT_CATALOGUE, type EventCodec, type WebhooksEvent } from '@switchyard/events'
import { assert, type DocumentKey, type EventLog, type NewId, type NewRecord, OperatingError, type Position } from '@switchyard/kernel'
import { type Projector, systemTimers, type Timers, type ViewedProjection, within } from '@switchyard/runtime'
import {
  type Chain,
  type ChainEvent,
  type DeliveryCommand,
  type DeliveryRejection,
  delivery,
  mustNotRace,
  webhookChains,
} from '@switchyard/webhooks'
import { APPEND_MAX_MS, DECIDE_ATTEMPTS_MAX, VIEW_MAX_MS } from './limits.ts'
import type { Origin } from './operations.ts'

/** What became of a command on a chain; the position is that of what was recorded. */
export type ChainOutcome =
  | { readonly accepted: true; readonly chain: Chain; readonly position: Position | undefined }
  | { readonly accepted: false; readonly rejection: DeliveryRejection | { readonly code: 'CONFLICT' } }

/** The topic `webhooks` as the service writes and reads it: what was written is seen by the next look. */
export interface Journal {
  /** Appends events of one merchant and waits until they are projected. Rejects with the log's {@link OperatingError}. */
  readonly record: (events: readonly WebhooksEvent[], origin: Origin) => Promise<Position>
  /** Decides on the chain as it stands, records, and looks whether that took effect; else decides again. */
  readonly decide: (command: DeliveryCommand, origin: Origin) => Promise<ChainOutcome>
  readonly view: <View extends object>(projection: ViewedProjection<View>, key: DocumentKey) => Promise<View>
  /** Linearizable reads: everything that stands in the merchant's partition now is in the views. */
  readonly readIndex: (merchantId: string) => Promise<void>
  /** {@link readIndex}, for what is read from the store; it is stored when its time comes. */
  readonly storeIndex: (merchantId: string) => Promise<void>
  /** {@link storeIndex} for somebody who waits: it is stored sooner. */
  readonly storeIndexSoon: (merchantId: string) => Promise<void>
}

/** What {@link createJournal} needs. */
export interface JournalDependencies {
  readonly log: Pick<EventLog, 'append' | 'endPosition'>
  readonly codec: EventCodec
  readonly projector: Pick<Projector, 'view' | 'processedUpTo' | 'projectedUpTo' | 'storedUpTo'>
  readonly newId: NewId
  readonly timers?: Timers
}

/** Who acts when nobody asked: the schedule. */
export const SCHEDULE: Origin = { actor: 'schedule', requestId: 'schedule' }

const slow = (): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', `the log did not take the events in ${APPEND_MAX_MS} ms`, { retryable: true })

/** A document is not at hand in {@link VIEW_MAX_MS}. */
export const storeAway = (): OperatingError =>
  new OperatingError('STORE_UNAVAILABLE', `the read store did not give a document in ${VIEW_MAX_MS} ms`, { retryable: true })

/** The projector for those who are to be answered: one that waits for a read store that is away waits as long as it takes. */
export const answering = (
  projector: JournalDependencies['projector'],
  timers: Timers = systemTimers,
): JournalDependencies['projector'] => ({
  ...projector,
  view: (projection, key) => within(timers, projector.view(projection, key), VIEW_MAX_MS, storeAway),
})

const tookEffect = (event: ChainEvent, chain: Chain): boolean => {
  switch (event.type) {
    case 'DeliveryAttemptStarted':
      return chain.attempts.some(({ claimId }) => claimId === event.data.claimId)
    case 'DeliveryAbandoned':
      return chain.status === 'EXHAUSTED'
    default:
      return true
  }
}

/** The {@link Journal} over a log and the projector that follows it. */
export const createJournal = ({ log, codec, projector, newId, timers = systemTimers }: JournalDependencies): Journal => {
  const recordOf = (event: WebhooksEvent, { actor, requestId, trace }: Origin, expectedVersion: number | undefined): NewRecord => {
    const { subject: type } = EVENT_CATALOGUE[event.type]
    const headers = { id: newId(), type, correlation: requestId, actor, ...trace }
    return {
      key: event.data.merchantId,
      value: codec.encode(event),
      headers: expectedVersion === undefined ? headers : { ...headers, expectedVersion },
    }
  }

  const append = async (records: readonly NewRecord[]): Promise<Position> => {
    const positions = await within(timers, log.append('webhooks', records), APPEND_MAX_MS, slow)
    const position = positions.at(-1)
    assert(position !== undefined, 'the log gives a position for each record')
    await projector.processedUpTo(position)
    return position
  }

  const chainOf = ({ merchantId, chainId }: DeliveryCommand): Promise<Chain> => projector.view(webhookChains, [merchantId, chainId])

  const decide = async (command: DeliveryCommand, origin: Origin): Promise<ChainOutcome> => {
    for (let attempt = 0; attempt < DECIDE_ATTEMPTS_MAX; attempt++) {
      const chain = await chainOf(command)
      const decision = delivery.decide(command, chain)
      if (!decision.accepted) return decision
      const [first] = decision.events
      if (first === undefined) return { accepted: true, chain, position: undefined }
      const records = decision.events.map((event) => recordOf(event, origin, mustNotRace(event) ? chain.version : undefined))
      const position = await append(records)
      const after = await chainOf(command)
      if (tookEffect(first, after)) return { accepted: true, chain: after, position }
    }
    return { accepted: false, rejection: { code: 'CONFLICT' } }
  }

  return {
    decide,
    record: (events, origin) => append(events.map((event) => recordOf(event, origin, undefined))),
    view: projector.view,
    readIndex: async (merchantId) => await projector.processedUpTo(await log.endPosition('webhooks', merchantId)),
    storeIndex: async (merchantId) => await projector.projectedUpTo(await log.endPosition('webhooks', merchantId)),
    storeIndexSoon: async (merchantId) => await projector.storedUpTo(await log.endPosition('webhooks', merchantId)),
  }
}
