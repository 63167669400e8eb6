/** Durations by buckets, bumped without allocation: what is measured per request must not cost the request. */
export interface LatencyFigures {
  readonly observe: (seconds: number) => void
  /** Observations up to each bound, as Prometheus counts them: those of the lower ones included; the last is without bound. */
  readonly cumulative: () => readonly number[]
  readonly sumSeconds: () => number
}

/** Upper bounds of the buckets, seconds: half a millisecond, doubled nine times (platform.md 12). */
export const LATENCY_BOUNDS_SECONDS: readonly number[] = Array.from({ length: 10 }, (_, index) => 0.0005 * 2 ** index)

/** {@link LatencyFigures} over these bounds. */
export const createLatencyFigures = (boundsSeconds: readonly number[] = LATENCY_BOUNDS_SECONDS): LatencyFigures => {
  const counts = new Float64Array(boundsSeconds.length + 1)
  const bounds = Float64Array.from(boundsSeconds)
  let sum = 0
  return {
    observe: (seconds) => {
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += seconds
    },
    cumulative: () => {
      let total = 0
      return Array.from(counts, (count) => (total += count))
    },
    sumSeconds: () => sum,
  }
}
