import { domainCollections } from '@switchyard/composition'
import {
  costIngestions,
  decideIngestion,
  fitHeads,
  type Ingestion,
  type IngestionCommand,
  latestFits,
  type RecordedCost,
  reportContributions,
} from '@switchyard/costs'
import type { DocumentProjection, Position, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import type { CostJournal } from './journal.ts'

/** For tests: a log of one process that is projected as it is written to. */
export interface SampleJournal extends CostJournal {
  /** Decides for the ingestion of merchant `m1`; throws when that is refused. */
  readonly must: (ingestionId: string, command: IngestionCommand) => Promise<void>
}

/** Puts an event into the documents of a projection. */
const projectWith = async <View extends object>(
  store: ReadStore,
  { name, keysOf, initialView, project }: DocumentProjection<View, RecordedCost>,
  recorded: RecordedCost,
): Promise<void> => {
  for (const key of keysOf(recorded)) {
    const view = (await store.get<View>(name, key))?.body ?? initialView(key)
    await store.write([{ collection: name, key, position: recorded.position, body: project(view, recorded, key) }])
  }
}

/** A {@link SampleJournal}. */
export const createSampleJournal = (): SampleJournal => {
  const store = createMemoryStore({ collections: domainCollections })
  let nextOffset = 0

  const record: CostJournal['record'] = async (events, _origin, expectedVersionOf): Promise<Position> => {
    const last = { partition: 0, offset: nextOffset + events.length - 1 }
    for (const event of events) {
      const position = { partition: 0, offset: nextOffset++ }
      const recorded = { event, position, eventId: `e${position.offset}`, effects: { expectedVersion: expectedVersionOf?.(event) } }
      await projectWith(store, costIngestions, recorded)
      await projectWith(store, reportContributions, recorded)
      await projectWith(store, latestFits, recorded)
      await projectWith(store, fitHeads, recorded)
    }
    return last
  }
  const find: CostJournal['find'] = async ({ merchantId, life, ingestionId }) => {
    const key = [merchantId, life, ingestionId]
    return (await store.get<Ingestion>(costIngestions.name, key))?.body ?? costIngestions.initialView(key)
  }
  const decide: CostJournal['decide'] = async (place, command, origin) => {
    const decision = decideIngestion(command, await find(place))
    if (!decision.accepted) return decision
    const position = await record(decision.events, origin)
    return { accepted: true, ingestion: await find(place), position }
  }

  return {
    record,
    find,
    decide,
    store,
    readIndex: async () => {},
    must: async (ingestionId, command) => {
      const outcome = await decide({ merchantId: 'm1', life: 1, ingestionId }, command, { actor: 'test', requestId: 'test' })
      if (!outcome.accepted) throw new Error(outcome.rejection.code)
    },
  }
}
