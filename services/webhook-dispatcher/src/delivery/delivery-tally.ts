import { createDeliveryLatency, type DeliveryFigures } from '@switchyard/composition'
import type { OutboundOutcome } from '@switchyard/kernel'
import { type Chain, outcomeClass } from '@switchyard/webhooks'

type LatencyFigures = ReturnType<typeof createDeliveryLatency>

/** Kinds of attempts as metrics have them. */
type CountedKind = 'scheduled' | 'manual'

/** Counts attempts and times them, and counts the events that are given up. */
export interface DeliveryTally {
  readonly ended: (kind: CountedKind, outcome: OutboundOutcome) => void
  /** An initial attempt begins, so many milliseconds after its event was accepted. */
  readonly began: (delayMs: number) => void
  /** What was decided on by the schedule may have ended it. */
  readonly settled: (before: Chain, after: Chain) => void
  readonly read: () => Pick<DeliveryFigures, 'attempts' | 'duration' | 'delay' | 'exhaustedCount'>
}

const readLatency = (latency: LatencyFigures): DeliveryFigures['duration'] => ({
  cumulative: latency.cumulative(),
  sumSeconds: latency.sumSeconds(),
})

/** Nothing is counted yet. */
export const createDeliveryTally = (): DeliveryTally => {
  const counts: Readonly<Record<CountedKind, Map<string, number>>> = { scheduled: new Map(), manual: new Map() }
  const duration = createDeliveryLatency()
  const delay = createDeliveryLatency()
  let exhaustedCount = 0
  return {
    ended: (kind, outcome) => {
      const counted = outcomeClass(outcome)
      counts[kind].set(counted, (counts[kind].get(counted) ?? 0) + 1)
      duration.observe(outcome.latencyMs / 1_000)
    },
    began: (delayMs) => delay.observe(delayMs / 1_000),
    settled: (before, after) => {
      if (before.status === 'PENDING' && after.status === 'EXHAUSTED') exhaustedCount += 1
    },
    read: () => ({
      attempts: Object.entries(counts).flatMap(([kind, own]) => [...own].map(([outcome, count]) => ({ kind, outcome, count }))),
      duration: readLatency(duration),
      delay: readLatency(delay),
      exhaustedCount,
    }),
  }
}
