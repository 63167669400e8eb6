import { systemTimers, within } from '@switchyard/runtime'
import type { Registry } from 'prom-client'
import { counter, gauge, type LabelledNumber } from './counted.ts'
import { FixedHistogram } from './fixed-histogram.ts'
import { createLatencyFigures, type LatencyFigures } from './latency-figures.ts'

/** How long a scrape waits for the dispatcher to tell of itself, milliseconds. */
const FIGURES_MAX_MS = 2_000

/** Upper bounds of the buckets, seconds: an endpoint may take 30. */
const BOUNDS_SECONDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Durations of deliveries. */
export const createDeliveryLatency = (): LatencyFigures => createLatencyFigures(BOUNDS_SECONDS)

/** {@link LatencyFigures} as plain data. */
interface DurationCounts {
  /** Up to each bound, the last one without. */
  readonly cumulative: readonly number[]
  readonly sumSeconds: number
}

/** What a dispatcher of webhooks has done since its start, and has to do: plain data, it may be in another thread. */
export interface DeliveryFigures {
  /** New events and retries. */
  readonly waiting: Readonly<Record<string, number>>
  readonly underWay: Readonly<Record<string, number>>
  /** Endpoints that are left alone because they failed. */
  readonly openCircuitCount: number
  /** Endpoints of all merchants by their status. */
  readonly endpoints: Readonly<Record<string, number>>
  /** Events whose schedule of retries has ended in this process without a delivery. */
  readonly exhaustedCount: number
  /** By kind and by class of outcome; both have few values. */
  readonly attempts: readonly { readonly kind: string; readonly outcome: string; readonly count: number }[]
  /** From the beginning of an attempt to its end. */
  readonly duration: DurationCounts
  /** From the acceptance of an event to the beginning of its initial attempt. */
  readonly delay: DurationCounts
}

/** Asks a dispatcher. */
export type AskDeliveries = () => Promise<DeliveryFigures>

const byLabel = (name: string, counts: Readonly<Record<string, number>>): readonly LabelledNumber[] =>
  Object.entries(counts).map(([label, value]) => ({ labels: { [name]: label }, value }))

type ReadFigures = () => Promise<DeliveryFigures | undefined>

/** Asks once for all metrics of a scrape; undefined while nobody answers, or where no events are sent. */
const createAsking = (askOf: () => AskDeliveries | undefined): ReadFigures => {
  let asked: Promise<DeliveryFigures | undefined> | undefined
  const late = (): Error => new Error('the dispatcher does not answer')
  const answer = async (): Promise<DeliveryFigures | undefined> => {
    const ask = askOf()
    try {
      return ask === undefined ? undefined : await within(systemTimers, ask(), FIGURES_MAX_MS, late)
    } catch {
      return undefined
    }
  }
  return () => {
    asked ??= answer().finally(() => {
      asked = undefined
    })
    return asked
  }
}

const registerNumbers = (registry: Registry, figures: ReadFigures): void => {
  const registers = [registry]
  const read = (valuesOf: (figures: DeliveryFigures) => readonly LabelledNumber[]) => async (): Promise<readonly LabelledNumber[]> => {
    const found = await figures()
    return found === undefined ? [] : valuesOf(found)
  }
  gauge({
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries that wait for their turn in this process; others stand in the index',
    labelNames: ['lane'],
    registers,
    read: read(({ waiting }) => byLabel('lane', waiting)),
  })
  gauge({
    name: 'webhook_deliveries_under_way',
    help: 'Attempts that were begun and have not ended',
    labelNames: ['lane'],
    registers,
    read: read(({ underWay }) => byLabel('lane', underWay)),
  })
  gauge({
    name: 'webhook_circuits_open',
    help: 'Endpoints that are left alone for a while because they failed',
    registers,
    read: read(({ openCircuitCount }) => [{ labels: {}, value: openCircuitCount }]),
  })
  gauge({
    name: 'webhook_endpoints',
    help: 'Endpoints of all merchants; every process knows all of them',
    labelNames: ['status'],
    registers,
    read: read(({ endpoints }) => byLabel('status', endpoints)),
  })
  counter({
    name: 'webhook_events_exhausted_total',
    help: 'Events whose schedule of retries has ended without a delivery',
    registers,
    read: read(({ exhaustedCount }) => [{ labels: {}, value: exhaustedCount }]),
  })
  counter({
    name: 'webhook_attempts_total',
    help: 'Attempts that have ended, by kind and by class of outcome',
    labelNames: ['kind', 'outcome'],
    registers,
    read: read(({ attempts }) => attempts.map(({ kind, outcome, count }) => ({ labels: { kind, outcome }, value: count }))),
  })
}

const registerDurations = (registry: Registry, figures: ReadFigures): void => {
  const histogram = (name: string, help: string, countsOf: (figures: DeliveryFigures) => DurationCounts): void => {
    new FixedHistogram({
      name,
      help,
      registers: [registry],
      bounds: BOUNDS_SECONDS,
      read: async () => {
        const found = await figures()
        if (found === undefined) return []
        const { cumulative, sumSeconds } = countsOf(found)
        return [{ labels: {}, figures: { cumulative: () => cumulative, sumSeconds: () => sumSeconds } }]
      },
    })
  }
  histogram('webhook_attempt_seconds', 'Time from the beginning of an attempt to its end', ({ duration }) => duration)
  histogram('webhook_first_attempt_delay_seconds', 'Time from the acceptance of an event to its initial attempt', ({ delay }) => delay)
}

/** Outgoing events, asked at each scrape. */
export const createDeliveryMetrics = (registry: Registry): ((ask: AskDeliveries) => void) => {
  let ask: AskDeliveries | undefined
  const figures = createAsking(() => ask)
  registerNumbers(registry, figures)
  registerDurations(registry, figures)
  return (asked) => {
    ask = asked
  }
}
