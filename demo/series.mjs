import { GATEWAYS } from './market.mjs'

const ratio = (part, whole) => (whole === 0 ? Number.NaN : part / whole)

const eachBucket = (paymentCount, bucketSize, view) => {
  const buckets = []
  for (let from = 0; from < paymentCount; from += bucketSize) {
    const to = Math.min(paymentCount, from + bucketSize)
    buckets.push({ from, to, ...view(from, to) })
  }
  return buckets
}

/**
 * Shares of the traffic by gateway, in the gateways' order, for each run of `bucketSize` payments.
 *
 * @param {import('./ledger.mjs').Ledger} ledger
 * @param {number} bucketSize
 */
export const shareSeries = (ledger, bucketSize) =>
  eachBucket(ledger.paymentCount, bucketSize, (from, to) => {
    const counts = GATEWAYS.map(() => 0)
    let total = 0
    for (let index = from; index < to; index += 1) {
      const slot = GATEWAYS.indexOf(ledger.gatewayOf(index))
      if (slot < 0) continue
      counts[slot] += 1
      total += 1
    }
    return { shares: counts.map((count) => ratio(count, total)) }
  })

/**
 * Mean score of each gateway, as answered with the decisions for one payment method, for each run of `bucketSize` payments, and
 * the true approval rate in the middle of the run; NaN where no score was seen.
 *
 * @param {import('./market.mjs').Market} market
 * @param {import('./ledger.mjs').Ledger} ledger
 * @param {{ readonly methodKey: string, readonly bucketSize: number }} options
 */
export const scoreSeries = (market, ledger, { methodKey, bucketSize }) =>
  eachBucket(ledger.paymentCount, bucketSize, (from, to) => {
    const sums = GATEWAYS.map(() => 0)
    let seenCount = 0
    for (let index = from; index < to; index += 1) {
      if (market.paymentAt(index).method.key !== methodKey) continue
      const scores = GATEWAYS.map((gateway) => ledger.scoreOf(index, gateway))
      if (scores.some(Number.isNaN)) continue
      seenCount += 1
      for (const [slot, score] of scores.entries()) sums[slot] += score
    }
    const middle = (from + to) / 2
    return {
      scores: sums.map((sum) => ratio(sum, seenCount)),
      trueRates: GATEWAYS.map((gateway) => market.visibleRateOf(gateway, methodKey, middle)),
    }
  })
