import {
  costIngestions,
  decideIngestion,
  type Ingestion,
  type IngestionCommand,
  type IngestionRejection,
  mustNotRace,
} from '@switchyard/costs'
import { type CostsEvent, EVENT_CATALOGUE, type EventCodec } from '@switchyard/events'
import { assert, type EventLog, type NewId, type NewRecord, OperatingError, type Position, type ReadStore } from '@switchyard/kernel'
import { type ReadModelProgress, systemTimers, type Timers, within } from '@switchyard/runtime'
import { APPEND_MAX_MS, DECIDE_ATTEMPTS_MAX } from './limits.ts'

/** Who asks: stands in the headers of the events. */
export interface Origin {
  readonly actor: string
  readonly requestId: string
}

/** Who acts when nobody asked. */
export const INGESTION: Origin = { actor: 'cost-ingestion', requestId: 'cost-ingestion' }

/** Which ingestion; `life` is the registration of the merchant id. */
export interface IngestionPlace {
  readonly merchantId: string
  readonly life: number
  readonly ingestionId: string
}

/** What became of a command; the position is that of what was recorded. */
type IngestionOutcome =
  | { readonly accepted: true; readonly ingestion: Ingestion; readonly position: Position | undefined }
  | { readonly accepted: false; readonly rejection: IngestionRejection | { readonly code: 'CONFLICT' } }

/** The version of the ingestion that an event was decided on; undefined where that does not matter. */
export type ExpectedVersionOf = (event: CostsEvent) => number | undefined

/** The topic `costs` as the service writes and reads it. */
export interface CostJournal {
  /**
   * Appends events of one merchant; does not wait until they are projected. Those for which `expectedVersionOf` tells a version have no
   * effect on an ingestion that has moved on (law 5). Rejects with the log's {@link OperatingError}.
   */
  readonly record: (events: readonly CostsEvent[], origin: Origin, expectedVersionOf?: ExpectedVersionOf) => Promise<Position>
  /** Decides on the ingestion as it stands, records, and looks whether that took effect; else decides again. */
  readonly decide: (place: IngestionPlace, command: IngestionCommand, origin: Origin) => Promise<IngestionOutcome>
  readonly find: (place: IngestionPlace) => Promise<Ingestion>
  /** Linearizable reads: everything that stands in the merchant's partition now is in the documents. */
  readonly readIndex: (merchantId: string) => Promise<void>
  /** The documents. */
  readonly store: ReadStore
}

/** What {@link createCostJournal} needs. */
export interface CostJournalDependencies {
  readonly log: Pick<EventLog, 'append' | 'endPosition'>
  readonly codec: EventCodec
  readonly documents: Pick<ReadModelProgress, 'readModels' | 'projectedUpTo'>
  readonly newId: NewId
  readonly timers?: Timers
}

const slow = (): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', `the log did not take the events in ${APPEND_MAX_MS} ms`, { retryable: true })

const keyOf = ({ merchantId, life, ingestionId }: IngestionPlace) => [merchantId, life, ingestionId]

/** The {@link CostJournal} over a log and the documents that follow it. */
export const createCostJournal = ({ log, codec, documents, newId, timers = systemTimers }: CostJournalDependencies): CostJournal => {
  const { readModels: store } = documents

  const recordOf = (event: CostsEvent, { actor, requestId }: Origin, expectedVersion?: number): NewRecord => {
    const { subject: type } = EVENT_CATALOGUE[event.type]
    const headers = { id: newId(), type, correlation: requestId, actor }
    return {
      key: event.data.merchantId,
      value: codec.encode(event),
      headers: expectedVersion === undefined ? headers : { ...headers, expectedVersion },
    }
  }

  const append = async (records: readonly NewRecord[]): Promise<Position> => {
    const positions = await within(timers, log.append('costs', records), APPEND_MAX_MS, slow)
    const position = positions.at(-1)
    assert(position !== undefined, 'the log gives a position for each record')
    return position
  }

  const find = async (place: IngestionPlace): Promise<Ingestion> =>
    (await store.get<Ingestion>(costIngestions.name, keyOf(place)))?.body ?? costIngestions.initialView(keyOf(place))

  const decide: CostJournal['decide'] = async (place, command, origin) => {
    for (let attempt = 0; attempt < DECIDE_ATTEMPTS_MAX; attempt++) {
      const ingestion = await find(place)
      const decision = decideIngestion(command, ingestion)
      if (!decision.accepted) return decision
      const [event] = decision.events
      if (event === undefined) return { accepted: true, ingestion, position: undefined }
      const position = await append([recordOf(event, origin, mustNotRace(event) ? ingestion.version : undefined)])
      await documents.projectedUpTo(position)
      const after = await find(place)
      if (event.type !== 'IngestionStarted' || after.claimId === event.data.claimId) return { accepted: true, ingestion: after, position }
    }
    return { accepted: false, rejection: { code: 'CONFLICT' } }
  }

  return {
    decide,
    find,
    store,
    record: (events, origin, expectedVersionOf) => append(events.map((event) => recordOf(event, origin, expectedVersionOf?.(event)))),
    readIndex: async (merchantId) => await documents.projectedUpTo(await log.endPosition('costs', merchantId)),
  }
}
