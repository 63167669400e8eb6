import type { EventLog, Topic } from '@switchyard/kernel'
import { TOPICS } from '@switchyard/kernel'
import type { Registry } from 'prom-client'
import { counter, createCounts } from './counted.ts'
import { FixedHistogram } from './fixed-histogram.ts'
import { createLatencyFigures } from './latency-figures.ts'

const SECOND_MS = 1_000

/** How long the log takes to make appends durable, and which events it took. */
export const createLogMetrics = (registry: Registry): (<Log extends EventLog>(log: Log) => Log) => {
  const registers = [registry]
  const latency = new Map(TOPICS.map((topic) => [topic, createLatencyFigures()]))
  const failures = createCounts()
  const events = createCounts()

  new FixedHistogram({
    name: 'log_append_seconds',
    help: 'Time until an append to the event log is durable',
    registers,
    read: () => [...latency].map(([topic, figures]) => ({ labels: { topic }, figures })),
  })
  counter({
    name: 'log_append_failures_total',
    help: 'Appends to the event log that failed',
    labelNames: ['topic'],
    registers,
    read: () => failures.read((topic) => ({ topic })),
  })
  counter({
    name: 'recorded_events_total',
    help: 'Events in the log that this process wrote, by the name of their schema',
    labelNames: ['type'],
    registers,
    read: () => events.read((type) => ({ type })),
  })

  return (log) => ({
    ...log,
    append: async (topic: Topic, records) => {
      const startedMs = performance.now()
      try {
        const positions = await log.append(topic, records)
        latency.get(topic)?.observe((performance.now() - startedMs) / SECOND_MS)
        for (const { headers } of records) events.add(headers.type)
        return positions
      } catch (error) {
        failures.add(topic)
        throw error
      }
    },
  })
}
