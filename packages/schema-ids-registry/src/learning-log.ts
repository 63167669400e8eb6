import { schemaIdOf } from '@switchyard/events'
import type { EventLog, LogRecord } from '@switchyard/kernel'
import type { RegistrySchemaIds } from './registry-schema-ids.ts'

const learnFrom = async (ids: Pick<RegistrySchemaIds, 'learn' | 'schemaOf'>, records: readonly LogRecord[]): Promise<void> => {
  const unknown = new Set<number>()
  for (const { value } of records) {
    const id = schemaIdOf(value)
    if (id !== undefined && ids.schemaOf(id) === undefined) unknown.add(id)
  }
  if (unknown.size > 0) await ids.learn(unknown)
}

type Handle = (records: readonly LogRecord[]) => Promise<void> | void

/** The handler, called when every schema that a record names is learnt; for readers that are no part of the port, such as groups. */
export const learningHandle = (
  ids: Pick<RegistrySchemaIds, 'learn' | 'schemaOf'>,
  handle: Handle,
): ((records: readonly LogRecord[]) => Promise<void>) => {
  return async (records) => {
    await learnFrom(ids, records)
    await handle(records)
  }
}

/**
 * The log, with every schema that a record names learnt before the record is handed over: decoding stays synchronous, and
 * the registry out of the hot path. While the registry is away a tail waits as it waits for its brokers, then fails with
 * `SCHEMA_UNAVAILABLE`: nothing is passed by because of that. What the registry does not have comes through, and is
 * unreadable for good.
 */
export const learningLog = (log: EventLog, ids: Pick<RegistrySchemaIds, 'learn' | 'schemaOf'>): EventLog => {
  async function* read(...args: Parameters<EventLog['read']>): AsyncGenerator<readonly LogRecord[]> {
    for await (const records of log.read(...args)) {
      await learnFrom(ids, records)
      yield records
    }
  }

  return {
    ...log,
    read,
    subscribe: (options) => log.subscribe({ ...options, handle: learningHandle(ids, options.handle) }),
  }
}
