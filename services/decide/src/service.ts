import { createEdge, healthRoutes, type LogOptions, now, type Service } from '@switchyard/composition'
import type { Inbox } from '@switchyard/kernel'
import { assembleDeciding, type DecisionData } from './deciding.ts'
import { createOutcomeReceiver, OUTCOME_INBOX } from './inbound/outcome-receiver.ts'
import { createReadReport } from './inbound/read-report.ts'
import { createOutcomeEventOf } from './outcome-event.ts'

/** Which inbox is opened, and for which group. */
interface InboxOptions extends LogOptions {
  readonly name: string
  readonly group: string
}

/** What an entry point has for the service. */
export interface DecideProcess extends DecisionData {
  readonly openInbox: (options: InboxOptions) => Promise<Inbox>
}

/** Never renamed. */
const INBOX_GROUP = `decide.${OUTCOME_INBOX}-v1`

/**
 * Decisions and outcomes in a process of their own, also outcomes that others write into a topic. It reads all partitions of the
 * log, its share of that topic, and the read store at its start only.
 */
export const decideService = ({ openInbox, ...data }: DecideProcess): Service => ({
  name: 'decide',
  store: 'reader',
  partsOf: ({ settings, engines, voices, onListening }) => {
    const { routes, configuration, appender, serving, parts } = assembleDeciding({ settings, engines, voices, ...data })
    const { logOptions, schemaIds, learnSchemas } = engines
    const receiver = createOutcomeReceiver({
      states: configuration.states,
      appender,
      now,
      outcomeEventOf: createOutcomeEventOf(configuration.states, data.gatewayErrors),
      read: createReadReport(schemaIds),
      learnSchemas,
      openInbox: () => openInbox({ ...logOptions, name: OUTCOME_INBOX, group: `${logOptions.topicPrefix}.${INBOX_GROUP}` }),
      voices,
    })
    const edge = createEdge({
      ...serving,
      settings,
      // Started behind the folds, which have caught up then; whatever is away later, it decides from memory.
      routes: (isListening) => [...routes, ...healthRoutes({ isReady: async () => isListening(), probe: engines.probe })],
      onListening,
    })
    return [...parts, receiver, edge]
  },
})
