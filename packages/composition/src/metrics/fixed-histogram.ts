import { Histogram, type Registry } from 'prom-client'
import { LATENCY_BOUNDS_SECONDS, type LatencyFigures } from './latency-figures.ts'

/** Figures and the labels that they stand under. */
interface LabelledFigures {
  readonly labels: Readonly<Record<string, string>>
  readonly figures: LatencyFigures
}

/** What a histogram is called, and where its figures are. */
interface HistogramSource {
  readonly name: string
  readonly help: string
  readonly read: () => readonly LabelledFigures[]
  readonly registers: Registry[]
}

const BOUNDS: readonly string[] = [...LATENCY_BOUNDS_SECONDS.map(String), '+Inf']

/** A histogram whose figures are kept elsewhere and read when it is printed. */
export class FixedHistogram extends Histogram {
  readonly #source: HistogramSource

  constructor(source: HistogramSource) {
    const { name, help, registers } = source
    super({ name, help, registers, buckets: [...LATENCY_BOUNDS_SECONDS] })
    this.#source = source
  }

  /** What the registry prints of it. */
  async getForPromString(): Promise<object> {
    const { name, help, read } = this.#source
    const values = read().flatMap(({ labels, figures }) => {
      const cumulative = figures.cumulative()
      return [
        ...cumulative.map((value, index) => ({ metricName: `${name}_bucket`, labels: { ...labels, le: BOUNDS[index] }, value })),
        { metricName: `${name}_sum`, labels, value: figures.sumSeconds() },
        { metricName: `${name}_count`, labels, value: cumulative.at(-1) ?? 0 },
      ]
    })
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}
