/** The value below which `share` of the sorted values lie. */
export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** The middle value, or the mean of the two middle ones. */
export const median = (values) => {
  const sorted = [...values].sort((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/**
 * Median, lowest and highest of the repetitions of one figure.
 *
 * @param {readonly number[]} values
 */
export const summaryOf = (values) => {
  if (values.length === 0) throw new Error('a figure needs at least one repetition')
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) }
}

/** Distance from the lowest to the highest repetition, as a share of the median. */
export const spreadOf = ({ median: middle, min, max }) => (max === min ? 0 : (max - min) / middle)
