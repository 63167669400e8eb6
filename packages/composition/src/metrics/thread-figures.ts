import { AggregatorRegistry, type Registry } from 'prom-client'

/** What a thread has counted: plain data, as the registry gives it away. */
export type ThreadFigures = readonly object[]

/** The figures of all threads as those of one. Those of Node itself stand in one of them only, so that their sum is what they are. */
export const addedUp = (threads: readonly ThreadFigures[]): Registry =>
  AggregatorRegistry.aggregate(threads.map((figures) => figures.map((metric) => ({ ...metric, aggregator: 'sum' }))))
