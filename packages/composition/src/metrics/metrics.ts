import type { HttpTelemetry } from '@switchyard/http'
import type { EventLog } from '@switchyard/kernel'
import type { PaymentAppender } from '@switchyard/runtime'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { type AskDeliveries, createDeliveryMetrics } from './delivery-metrics.ts'
import { createHttpMetrics } from './http-metrics.ts'
import { type AskLag, createInboxMetrics } from './inbox-metrics.ts'
import { createLogMetrics } from './log-metrics.ts'
import { createPaymentMetrics } from './payment-metrics.ts'
import { type AskProjections, createProjectionMetrics } from './projection-metrics.ts'
import { addedUp, type ThreadFigures } from './thread-figures.ts'

export type { ThreadFigures } from './thread-figures.ts'

/** What a process counts. Labels have few values: routes, statuses, approaches, topics, names of schemas; never what a client sent. */
export interface Metrics {
  readonly http: HttpTelemetry
  /** The log, with its appends counted and timed. */
  readonly ofLog: <Log extends EventLog>(log: Log) => Log
  /** The appender, with the decisions that it gets counted. */
  readonly ofAppender: (appender: PaymentAppender) => PaymentAppender
  /** From now on the projections are asked at each scrape. */
  readonly watchProjections: (ask: AskProjections) => void
  /** From now on the dispatcher of webhooks is asked at each scrape. */
  readonly watchDeliveries: (ask: AskDeliveries) => void
  /** From now on the inbox of this topic is asked at each scrape. */
  readonly watchInbox: (topic: string, ask: AskLag) => void
  /** What this thread has counted, for another one that adds it to its own. */
  readonly figures: () => Promise<ThreadFigures>
  /** From now on what other threads have counted is added at each scrape. */
  readonly addThreads: (ask: () => Promise<readonly ThreadFigures[]>) => void
  /** In Prometheus' text format. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

/**
 * The {@link Metrics} of a process, with those of Node itself (memory, processor, event-loop delay, garbage collection), or those of
 * a thread beside its first one.
 */
export const createMetrics = (of: 'process' | 'thread' = 'process'): Metrics => {
  const registry = new Registry()
  if (of === 'process') collectDefaultMetrics({ register: registry })
  const figures = (): Promise<ThreadFigures> => registry.getMetricsAsJSON()
  let askThreads: (() => Promise<readonly ThreadFigures[]>) | undefined
  return {
    http: createHttpMetrics(registry),
    ofLog: createLogMetrics(registry),
    ofAppender: createPaymentMetrics(registry),
    watchProjections: createProjectionMetrics(registry),
    watchDeliveries: createDeliveryMetrics(registry),
    watchInbox: createInboxMetrics(registry),
    figures,
    addThreads: (ask) => {
      askThreads = ask
    },
    text: async () => await (askThreads === undefined ? registry : addedUp([await figures(), ...(await askThreads())])).metrics(),
    contentType: registry.contentType,
  }
}
