import { createDeliveryLatency, type DeliveryFigures } from '@switchyard/composition'
import type { OutboundOutcome } from '@switchyard/kernel'
import { outcomeClass } from '@switchyard/webhooks'

type LatencyFigures = ReturnType<typeof createDeliveryLatency>

/** Kinds of attempts as metrics have them. */
type CountedKind = 'scheduled' | 'manual'

/** Counts attempts and times them. */
export interface DeliveryTally {
  readonly ended: (kind: CountedKind, outcome: OutboundOutcome) => void
  /** An initial attempt begins, so many milliseconds after its event was accepted. */
  readonly began: (delayMs: number) => void
  readonly read: () => Pick<DeliveryFigures, 'attempts' | 'duration' | 'delay'>
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
  return {
    ended: (kind, outcome) => {
      const counted = outcomeClass(outcome)
      counts[kind].set(counted, (counts[kind].get(counted) ?? 0) + 1)
      duration.observe(outcome.latencyMs / 1_000)
    },
    began: (delayMs) => delay.observe(delayMs / 1_000),
    read: () => ({
      attempts: Object.entries(counts).flatMap(([kind, own]) => [...own].map(([outcome, count]) => ({ kind, outcome, count }))),
      duration: readLatency(duration),
      delay: readLatency(delay),
    }),
  }
}
