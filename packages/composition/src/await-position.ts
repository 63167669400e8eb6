import type { AwaitPosition, RouteSpec } from '@switchyard/http'
import { assertNever, type EventLog, isOperatingError, type Position, TOPICS, type Topic } from '@switchyard/kernel'
import { parsePositionToken } from '@switchyard/runtime'

type WaitFor = (position: Position) => Promise<void>

const AT_ONCE: WaitFor = async () => {}

/** Whom a request may have to wait for. */
export interface PositionReaders {
  /** Names the partitions there are. */
  readonly log: Pick<EventLog, 'endPositions'>
  readonly config: WaitFor
  /** Absent in a process that keeps no payments: none of its routes shows them. */
  readonly payments?: WaitFor
  /** The documents that the routes `servedBy: 'read-models'` are answered from; absent where there are none. */
  readonly projectedPayments?: WaitFor
  /** Absent in a process that keeps no webhooks. */
  readonly webhooks?: WaitFor
  /** The same of the topic `config`. */
  readonly projectedConfig?: WaitFor
  /** The same of the topic `costs`. */
  readonly projectedCosts?: WaitFor
  /** The costs that decisions are made with; absent in a process that makes none. */
  readonly costs?: WaitFor
}

/** Whether a topic has a partition; behind the start the log is asked only about one that was not seen yet. */
const createKnownPartitions = ({ endPositions }: PositionReaders['log']): ((topic: Topic, partition: number) => Promise<boolean>) => {
  const known = new Map<Topic, ReadonlySet<number>>()
  const learn = async (topic: Topic): Promise<void> => {
    known.set(topic, new Set((await endPositions(topic)).keys()))
  }
  // While the log is sure to be there: later on, what is in memory is answered without it. Who needs a partition that
  // could not be learned asks again, and hears of the failure.
  for (const topic of TOPICS) learn(topic).catch(() => {})
  return async (topic, partition) => {
    if (known.get(topic)?.has(partition) !== true) await learn(topic)
    return known.get(topic)?.has(partition) === true
  }
}

/** Waits for the state that the route is answered from; the merchant's configuration is in memory for every route. */
export const createAwaitPosition = (readers: PositionReaders): AwaitPosition => {
  const { log, config, payments = AT_ONCE, projectedPayments = AT_ONCE, webhooks = AT_ONCE } = readers
  const { projectedConfig = AT_ONCE, costs = AT_ONCE, projectedCosts = AT_ONCE } = readers
  const isKnown = createKnownPartitions(log)

  const readerOf = (topic: Topic, { servedBy }: RouteSpec): WaitFor => {
    switch (topic) {
      case 'config':
        // Such a route reads documents, and the gate the credential in memory.
        return servedBy === 'read-models'
          ? async (position) => void (await Promise.all([config(position), projectedConfig(position)]))
          : config
      case 'payments':
        return servedBy === 'read-models' ? projectedPayments : payments
      case 'webhooks':
        return webhooks
      case 'costs':
        return servedBy === 'read-models' ? projectedCosts : costs
      default:
        return assertNever(topic)
    }
  }

  return async (token, spec) => {
    const parsed = parsePositionToken(token)
    if (parsed === undefined || !(await isKnown(parsed.topic, parsed.position.partition))) return 'malformed'
    try {
      await readerOf(parsed.topic, spec)(parsed.position)
      return 'reached'
    } catch (error) {
      if (isOperatingError(error, 'POSITION_NOT_REACHED')) return 'not-reached'
      throw error
    }
  }
}
