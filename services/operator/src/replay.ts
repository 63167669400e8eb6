import { EVENT_CATALOGUE, exportedLine, readRecords, type SwitchyardEvent } from '@switchyard/events'
import type { EventLog, LogRecord, SchemaIds } from '@switchyard/kernel'
import type { Command } from './command-line.ts'
import type { Console } from './console.ts'

type ReplayCommand = Extract<Command, { readonly name: 'replay' }>

/** What {@link replay} works on. */
export interface ReplayDependencies {
  readonly log: Pick<EventLog, 'read' | 'endPositions'>
  readonly schemaIds: SchemaIds
  readonly console: Console
}

/** A decoded event as a line: where it stands, who caused it, and what it says. */
const eventLine = (topic: string, record: LogRecord, event: SwitchyardEvent): string => {
  const { key, position, headers } = record
  const { id, correlation = null, trace = null, traceId = null, globalRequestId = null, actor = null, expectedVersion = null } = headers
  return JSON.stringify({
    topic,
    ...position,
    key,
    id,
    type: event.type,
    schema: EVENT_CATALOGUE[event.type].subject,
    at: new Date(event.data.at).toISOString(),
    correlation,
    trace,
    traceId,
    globalRequestId,
    actor,
    expectedVersion,
    data: event.data,
  })
}

/**
 * Prints the records of a topic. A record that can't be read is printed as bytes (`records`), or named on the side
 * (`ndjson`). Resolves with the exit code.
 */
export const replay = async (command: ReplayCommand, { log, schemaIds, console }: ReplayDependencies): Promise<number> => {
  const { topic, format } = command
  for await (const read of readRecords({ ...command, source: log, schemaIds })) {
    if (format === 'records') await console.print(exportedLine(topic, read.record))
    else if (read.error === undefined) await console.print(eventLine(topic, read.record, read.event))
    else console.note(`${topic} ${read.record.position.partition}/${read.record.position.offset}: ${read.error.message}`)
  }
  return 0
}
