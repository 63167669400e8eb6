/** Basis points in one. */
const BPS = 10_000

const lineAt = (steps, amount) => {
  let line = steps[0]
  for (const step of steps) if (amount >= step.from) line = step
  return line
}

/**
 * What one payment costs, by part, in the currency of the payment and before any noise.
 *
 * @param {import('./world.mjs').Tariff} tariff
 * @param {number} amount
 */
export const feePartsOf = ({ interchange, scheme, markup }, amount) => {
  const { bps, fixed } = lineAt(interchange, amount)
  return {
    interchange: (bps / BPS) * amount + fixed,
    scheme: (scheme.bps / BPS) * amount + scheme.fixed,
    markup: (markup.bps / BPS) * amount + markup.fixed,
  }
}

/**
 * What one payment costs before any noise.
 *
 * @param {import('./world.mjs').Tariff} tariff
 * @param {number} amount
 */
export const feeOf = (tariff, amount) => {
  const { interchange, scheme, markup } = feePartsOf(tariff, amount)
  return interchange + scheme + markup
}

/**
 * The lines that a tariff consists of, by amount: one for a plain tariff, several for one with a cap or tiers.
 *
 * @param {import('./world.mjs').Tariff} tariff
 */
export const linesOf = ({ interchange, scheme, markup }) =>
  interchange.map(({ from, bps, fixed }, index) => ({
    from,
    to: interchange[index + 1]?.from ?? Number.POSITIVE_INFINITY,
    pctBps: bps + scheme.bps + markup.bps,
    fixed: fixed + scheme.fixed + markup.fixed,
  }))
