/**
 * Markets whose true approval rates change. A gateway is a list of `[from, rate]`: the rate from that part of the market
 * on (0 to 1), between two entries of a slope the line between them.
 */

const steady = (rate) => ({ at: () => rate })
const steps = (...parts) => ({ at: (time) => parts.findLast(([from]) => time >= from)?.[1] ?? 0 })
const slope = (first, last) => ({ at: (time) => first + (last - first) * time })

/** Payments of a market, event time between two, and payments between a decision and its outcome. */
const PACE = { paymentCount: 3_000, intervalMs: 2_000, lagCount: 3 }

/** The markets that the settings were chosen on. */
export const SCENARIOS = [
  { name: 'stationary', ...PACE, gateways: [steady(0.92), steady(0.88), steady(0.83)] },
  { name: 'close race', ...PACE, gateways: [steady(0.9), steady(0.89), steady(0.88), steady(0.87)] },
  { name: 'outage of the leader', ...PACE, gateways: [steps([0, 0.94], [0.4, 0.02], [0.6, 0.94]), steady(0.79), steady(0.74)] },
  { name: 'leaders swap', ...PACE, gateways: [steps([0, 0.92], [0.5, 0.76]), steps([0, 0.76], [0.5, 0.92]), steady(0.7)] },
  { name: 'slow drift', ...PACE, gateways: [slope(0.93, 0.75), slope(0.76, 0.92), steady(0.74)] },
  { name: 'late riser', ...PACE, gateways: [steady(0.87), steady(0.82), steps([0, 0.72], [0.5, 0.95])] },
  { name: 'twelve gateways', ...PACE, gateways: Array.from({ length: 12 }, (_, index) => steady(0.92 - 0.008 * index)) },
  { name: 'low volume', ...PACE, paymentCount: 300, intervalMs: 20_000, gateways: [steady(0.9), steady(0.87), steady(0.83)] },
]

const KINDS = ['steady', 'outage', 'swap', 'slope', 'riser', 'fall']
const PAYMENTS_MIN = 300
const PAYMENTS_MAX = 100_000
/** Event time that a market lasts. */
const DURATIONS_MS = [3_600_000, 21_600_000, 86_400_000]

const pick = (random, values) => values[Math.floor(random() * values.length)]
const between = (random, low, high) => low + random() * (high - low)

const gatewayOf = (kind, rate, random) => {
  const time = between(random, 0.2, 0.7)
  switch (kind) {
    case 'outage':
      return steps([0, rate], [time, between(random, 0, 0.05)], [time + between(random, 0.05, 0.25), rate])
    case 'slope':
      return slope(rate, between(random, 0.7, 0.96))
    case 'riser':
      return steps([0, rate - between(random, 0.05, 0.2)], [time, Math.min(0.97, rate + between(random, 0.02, 0.1))])
    case 'fall':
      return steps([0, rate], [time, rate - between(random, 0.05, 0.3)])
    default:
      return steady(rate)
  }
}

const swapped = (gateways, random) => {
  const time = between(random, 0.2, 0.7)
  const [first, second, ...rest] = gateways
  const exchange = (before, after) => ({ at: (now) => (now < time ? before : after).at(now) })
  return [exchange(first, second), exchange(second, first), ...rest]
}

/** A market drawn at random: number of gateways, rates, kinds and times of change, volume. */
export const drawnScenario = (number, random) => {
  const count = 2 + Math.floor(random() * 9)
  const paymentCount = Math.round(PAYMENTS_MIN * (PAYMENTS_MAX / PAYMENTS_MIN) ** random())
  const kinds = Array.from({ length: count }, () => pick(random, KINDS))
  const gateways = kinds.map((kind) => gatewayOf(kind, between(random, 0.7, 0.96), random))
  return {
    name: `drawn ${number}: ${count} gateways, ${paymentCount} payments`,
    paymentCount,
    intervalMs: pick(random, DURATIONS_MS) / paymentCount,
    lagCount: 3,
    gateways: kinds.includes('swap') ? swapped(gateways, random) : gateways,
  }
}
