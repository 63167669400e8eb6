/** A median that differs from the baseline's by less than this share is noise. */
export const NOISE_SHARE = 0.15

const loss = ({ better }, now, before) => (better === 'higher' ? (before - now) / before : (now - before) / before)

const verdictOf = (metric, before) => {
  if (before === undefined) return { status: 'new', lossShare: Number.NaN }
  // A tail is noisier than a throughput: it has to be worse than the worst repetition of the baseline, too.
  const worst = metric.better === 'higher' ? before.median : Math.max(before.median, before.max)
  const lossShare = loss(metric, metric.median, before.median)
  const isWorse = loss(metric, metric.median, worst) > NOISE_SHARE
  return { status: isWorse ? 'worse' : lossShare < -NOISE_SHARE ? 'better' : 'same', lossShare }
}

const keyOf = ({ benchmark, name }) => `${benchmark} ${name}`

/**
 * Holds a result against the baseline, ratio by ratio: figures per second depend on the machine and are not compared. A benchmark
 * of the baseline that was not run is `missing`, which fails nothing: a result may hold a part of the benchmarks.
 *
 * @param {import('./verdict.mjs').BenchResult} result
 * @param {import('./verdict.mjs').BenchResult} baseline
 */
export const compareResults = (result, baseline) => {
  const baselines = new Map(baseline.metrics.filter(({ isRatio }) => isRatio).map((metric) => [keyOf(metric), metric]))
  const rows = result.metrics
    .filter(({ isRatio }) => isRatio)
    .map((metric) => {
      const known = baselines.get(keyOf(metric))
      baselines.delete(keyOf(metric))
      return {
        benchmark: metric.benchmark,
        name: metric.name,
        now: metric.median,
        before: known?.median ?? Number.NaN,
        ...verdictOf(metric, known),
      }
    })
  const missing = [...baselines.values()].map(({ benchmark, name, median }) => ({
    benchmark,
    name,
    now: Number.NaN,
    before: median,
    status: 'missing',
    lossShare: Number.NaN,
  }))
  const all = [...rows, ...missing]
  return { rows: all, isWorse: all.some(({ status }) => status === 'worse') }
}

/** Whether a figure reaches its target; figures without a target give null. */
export const reachesTarget = ({ better, median, target }) => {
  if (target === null) return null
  return better === 'higher' ? median >= target : median <= target
}

const targetStatusOf = (metric, before) => {
  if (reachesTarget(metric)) return 'reached'
  const wasMissed = before !== undefined && reachesTarget({ ...before, target: metric.target }) === false
  return !wasMissed && loss(metric, metric.median, metric.target) > NOISE_SHARE ? 'lost' : 'missed'
}

/**
 * Holds every figure that has a target against it. `lost`: missed beyond noise, and not missed by the baseline already; `missed`:
 * also missed there, or by less than noise.
 *
 * @param {import('./verdict.mjs').BenchResult} result
 * @param {import('./verdict.mjs').BenchResult} baseline
 */
export const judgeTargets = (result, baseline) => {
  const baselines = new Map(baseline.metrics.map((metric) => [keyOf(metric), metric]))
  const rows = result.metrics
    .filter(({ target }) => target !== null)
    .map((metric) => ({ ...metric, status: targetStatusOf(metric, baselines.get(keyOf(metric))) }))
  return { rows, isLost: rows.some(({ status }) => status === 'lost') }
}
