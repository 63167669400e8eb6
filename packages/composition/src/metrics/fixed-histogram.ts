import { Histogram, type Registry } from 'prom-client'
import { LATENCY_BOUNDS_SECONDS, type LatencyFigures } from './latency-figures.ts'

/** Figures and the labels that they stand under. */
interface LabelledFigures {
  readonly labels: Readonly<Record<string, string>>
  readonly figures: Pick<LatencyFigures, 'cumulative' | 'sumSeconds'>
}

/** What a histogram is called, and where its figures are. */
interface HistogramSource {
  readonly name: string
  readonly help: string
  /** Seconds; default {@link LATENCY_BOUNDS_SECONDS}. */
  readonly bounds?: readonly number[]
  readonly read: () => readonly LabelledFigures[] | Promise<readonly LabelledFigures[]>
  readonly registers: Registry[]
}

/** A histogram whose figures are kept elsewhere and read when it is printed. */
export class FixedHistogram extends Histogram {
  readonly #source: HistogramSource

  constructor(source: HistogramSource) {
    const { name, help, registers, bounds = LATENCY_BOUNDS_SECONDS } = source
    super({ name, help, registers, buckets: [...bounds] })
    this.#source = source
  }

  /** What the registry prints of it. */
  async getForPromString(): Promise<object> {
    const { name, help, read, bounds = LATENCY_BOUNDS_SECONDS } = this.#source
    const shown = [...bounds.map(String), '+Inf']
    const values = (await read()).flatMap(({ labels, figures }) => {
      const cumulative = figures.cumulative()
      // The registry wants to have these where it gives figures away.
      const sharedLabels = {}
      return [
        ...cumulative.map((value, index) => ({
          metricName: `${name}_bucket`,
          labels: { ...labels, le: shown[index] },
          sharedLabels,
          value,
        })),
        { metricName: `${name}_sum`, labels, sharedLabels, value: figures.sumSeconds() },
        { metricName: `${name}_count`, labels, sharedLabels, value: cumulative.at(-1) ?? 0 },
      ]
    })
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}
