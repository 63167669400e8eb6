import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { HelpingThreads, ThreadFigures } from '@switchyard/composition'
import { createSharedRecentDecisions, type RecentDecisions, shareRecentDecisions } from '@switchyard/decide'
import { CONNECTION_COUNT_MAX } from '@switchyard/http'
import type { LifecycleReport, Part } from '@switchyard/runtime'
import { type ConnectionCounts, createConnectionCounts, FIRST_THREAD, shareConnectionCounts } from './decision-workers/connection-counts.ts'
import { type Descriptors, openDescriptors } from './decision-workers/descriptors.ts'
import type { DecisionWorkerMethods, DecisionWorkerStart, ReturnedConnection } from './decision-workers/worker-methods.ts'
import { type ServiceThread, startServiceThread } from './service-thread.ts'
import { askFigures } from './thread-figures.ts'
import type { OwnedLog } from './thread-methods.ts'

/** A worker's answer may take as long as its states need to catch up with the log. */
const CALL_TIMEOUT_MS = 600_000

/** The decision workers beside the main thread, as it sees them. */
export interface DecisionWorkers extends HelpingThreads {
  /** Starts when their states have caught up with the log; stops when their events are written. */
  readonly part: Part
  /** Whether every one of them answers, as it last said. */
  readonly isReady: () => boolean
  readonly figures: () => Promise<readonly ThreadFigures[]>
  /** Also those that the main thread makes. */
  readonly recentDecisions: RecentDecisions
}

/** What {@link startDecisionWorkers} needs. */
export interface DecisionWorkerSurroundings {
  /** All of them, the main thread included. */
  readonly count: number
  readonly start: Omit<DecisionWorkerStart, keyof ThreadOwn>
  readonly log: OwnedLog
  readonly report: LifecycleReport
  readonly onFailure: (error: unknown) => void
}

/** What is not told from outside. */
type ThreadOwn = Pick<DecisionWorkerStart, 'thread' | 'connectionCounts' | 'recentDecisions' | 'connections'>

/** One worker, and the way of connections to it and back. */
interface Worker {
  readonly thread: ServiceThread<DecisionWorkerMethods>
  readonly connections: MessagePort
  readonly figures: () => Promise<ThreadFigures>
  readonly isReady: () => boolean
}

const startWorker = (
  { start, log, onFailure }: DecisionWorkerSurroundings,
  shared: Pick<ThreadOwn, 'thread' | 'connectionCounts' | 'recentDecisions'>,
): Worker => {
  const { port1: connections, port2 } = new MessageChannel()
  const kind = {
    name: `decision ${shared.thread + 1}`,
    script: new URL('./decision-worker.js', import.meta.url),
    timeoutMs: CALL_TIMEOUT_MS,
    transferred: [port2],
  }
  const own: DecisionWorkerStart = { ...start, ...shared, connections: port2 }
  const thread = startServiceThread<DecisionWorkerMethods>(kind, own, log, onFailure)
  return {
    thread,
    connections,
    figures: askFigures(() => thread.call('figures', null)),
    isReady: thread.watchReadiness(() => thread.call('started', null).then(() => true)),
  }
}

/** Gives each connection to the thread that has the fewest. */
const createGiveAway = (workers: readonly Worker[], counts: ConnectionCounts, { release }: Descriptors): HelpingThreads['giveAway'] => {
  const keep = (socket: Socket): false => {
    counts.add(FIRST_THREAD, 1)
    socket.once('close', () => counts.add(FIRST_THREAD, -1))
    return false
  }
  return (socket) => {
    if (counts.total() >= CONNECTION_COUNT_MAX) {
      socket.destroy()
      return true
    }
    const thread = counts.next()
    const worker = workers[thread - 1]
    const descriptor = worker === undefined ? undefined : release(socket)
    if (worker === undefined || descriptor === undefined) return keep(socket)
    counts.add(thread, 1)
    worker.connections.postMessage(descriptor)
    return true
  }
}

/** Hands connections that come back to `take`; they stay with the main thread. */
const takeBack =
  (workers: readonly Worker[], counts: ConnectionCounts, descriptors: Descriptors): HelpingThreads['onReturned'] =>
  (take) => {
    const onReturned = ({ descriptor, bytes }: ReturnedConnection): void => {
      const socket = descriptors.take(descriptor)
      if (socket === undefined) return
      counts.add(FIRST_THREAD, 1)
      socket.once('close', () => counts.add(FIRST_THREAD, -1))
      take(socket, bytes)
    }
    for (const { connections } of workers) connections.on('message', onReturned)
  }

/**
 * Starts the decision workers beside the main thread; undefined when it is the only one. Throws `SETTING_INVALID` on a system where
 * threads can't pass connections on. `onFailure` hears of a worker's end before {@link DecisionWorkers.part} stops.
 */
export const startDecisionWorkers = async (surroundings: DecisionWorkerSurroundings): Promise<DecisionWorkers | undefined> => {
  const { count, report } = surroundings
  if (count === 1) return undefined
  const coreCount = availableParallelism()
  if (count > coreCount) report.info(`SWITCHYARD_WORKERS is ${count}, more than the ${coreCount} cores there are`)
  const descriptors = await openDescriptors()
  const connectionCounts = shareConnectionCounts(count)
  const recentDecisions = shareRecentDecisions()
  const counts = createConnectionCounts(connectionCounts)
  const workers = Array.from({ length: count - 1 }, (_, index) =>
    startWorker(surroundings, { thread: index + 1, connectionCounts, recentDecisions }),
  )
  const all = async (run: (worker: Worker) => Promise<void>): Promise<void> => void (await Promise.all(workers.map(run)))
  return {
    giveAway: createGiveAway(workers, counts, descriptors),
    onReturned: takeBack(workers, counts, descriptors),
    // Whoever does not hear it any more is about to end the process.
    drain: () => void all(({ thread }) => thread.call('drain', null)).catch(() => {}),
    close: async () => {
      await all(({ thread }) => thread.call('close', null))
      // Their last connections come another way than their answer.
      await nextTurn()
    },
    recentDecisions: createSharedRecentDecisions(recentDecisions),
    figures: () => Promise.all(workers.map(({ figures }) => figures())),
    isReady: () => workers.every(({ isReady }) => isReady()),
    part: {
      name: 'decision workers',
      start: () => all(({ thread }) => thread.call('started', null)),
      stop: () => all(({ thread }) => thread.end(() => thread.call('stop', null))),
    },
  }
}
