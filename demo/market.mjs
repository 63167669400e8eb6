import { drawsOf, weighted } from './random.mjs'

/**
 * The simulated market: who pays how, and which gateway approves what. All rates are shares in [0, 1]. Nothing here knows the
 * router; a payment approves or not by its own luck, drawn once, so that all routers can be compared on the same payments.
 */

/** Five gateways; none is the best everywhere. */
export const GATEWAYS = ['northpay', 'harbor', 'velocity', 'summit', 'cinder']

/** What the router tells apart without further configuration: method type and method. */
export const METHODS = [
  { key: 'credit', label: 'credit card', weight: 0.5, paymentMethodType: 'CARD', paymentMethod: 'CREDIT' },
  { key: 'debit', label: 'debit card', weight: 0.3, paymentMethodType: 'CARD', paymentMethod: 'DEBIT' },
  { key: 'upi', label: 'UPI', weight: 0.2, paymentMethodType: 'UPI', paymentMethod: 'UPI_PAY' },
]

/** Parts of a run as shares of its payments. */
export const PHASES = [
  { name: 'before', from: 0, to: 0.4 },
  { name: 'outage', from: 0.4, to: 0.6 },
  { name: 'after', from: 0.6, to: 1 },
]

/** The gateway that breaks down in the phase `outage`, and what it still approves then. */
export const OUTAGE = { gateway: 'northpay', phase: 'outage', rate: 0.05 }

/** The gateway that gets better, linearly between two points of the run. */
export const IMPROVEMENT = { gateway: 'summit', from: 0.45, to: 0.7, gain: 0.25 }

const CARD_CURRENCIES = [
  { name: 'USD', weight: 0.5, country: 'US' },
  { name: 'EUR', weight: 0.3, country: 'DE' },
  { name: 'GBP', weight: 0.2, country: 'GB' },
]
const CARD_NETWORKS = [
  { name: 'VISA', weight: 0.5 },
  { name: 'MASTERCARD', weight: 0.35 },
  { name: 'AMEX', weight: 0.15 },
]
const UPI_CURRENCIES = [{ name: 'INR', weight: 1, country: 'IN' }]
const NO_NETWORK = [{ name: '', weight: 1 }]

const APPROVAL_MAX = 0.99
const APPROVAL_MIN = 0.01
const AMOUNT_MIN = 5
const AMOUNT_SPREAD = 195

/** Approval rates by method before the shifts, and the shifts by currency and network that only an all-knowing router sees. */
const PROFILES = {
  northpay: { credit: 0.91, debit: 0.83, upi: 0.62, shifts: { USD: 0.02, EUR: -0.03, GBP: 0, AMEX: -0.02 } },
  harbor: { credit: 0.84, debit: 0.9, upi: 0.7, shifts: { EUR: 0.05, USD: -0.03, GBP: 0, AMEX: -0.06 } },
  velocity: { credit: 0.79, debit: 0.76, upi: 0.92, shifts: { AMEX: 0.12, VISA: -0.02 } },
  summit: { credit: 0.71, debit: 0.66, upi: 0.6, shifts: { USD: 0.01, EUR: -0.01 } },
  cinder: { credit: 0.74, debit: 0.79, upi: 0.8, shifts: { GBP: 0.14, USD: -0.04, EUR: -0.03 } },
}

const currenciesOf = (methodKey) => (methodKey === 'upi' ? UPI_CURRENCIES : CARD_CURRENCIES)
const networksOf = (methodKey) => (methodKey === 'upi' ? NO_NETWORK : CARD_NETWORKS)

/** The phase of the n-th of `paymentCount` payments. */
export const phaseOf = (index, paymentCount) => {
  const progress = index / paymentCount
  return PHASES.find(({ from, to }) => progress >= from && progress < to) ?? PHASES[PHASES.length - 1]
}

const improvementAt = (gateway, progress) => {
  if (gateway !== IMPROVEMENT.gateway) return 0
  const share = (progress - IMPROVEMENT.from) / (IMPROVEMENT.to - IMPROVEMENT.from)
  return IMPROVEMENT.gain * Math.min(1, Math.max(0, share))
}

const rateAt = (gateway, { method, currency, network, progress }) => {
  const outage = PHASES.find(({ name }) => name === OUTAGE.phase)
  if (gateway === OUTAGE.gateway && progress >= outage.from && progress < outage.to) return OUTAGE.rate
  const { shifts, [method]: base } = PROFILES[gateway]
  const rate = base + improvementAt(gateway, progress) + (shifts[currency] ?? 0) + (shifts[network] ?? 0)
  return Math.min(APPROVAL_MAX, Math.max(APPROVAL_MIN, rate))
}

const meanRateAt = (gateway, method, progress) => {
  let mean = 0
  for (const currency of currenciesOf(method)) {
    for (const network of networksOf(method)) {
      mean += currency.weight * network.weight * rateAt(gateway, { method, currency: currency.name, network: network.name, progress })
    }
  }
  return mean
}

/**
 * The market of a seed. The same seed and count give the same payments, rates and luck.
 *
 * @param {{ readonly seed: number, readonly paymentCount: number }} options
 */
export const createMarket = ({ seed, paymentCount }) => {
  const paymentAt = (index) => {
    const draw = drawsOf(seed, index)
    const method = weighted(METHODS, draw())
    const currency = weighted(currenciesOf(method.key), draw())
    const network = weighted(networksOf(method.key), draw())
    const amount = Math.round((AMOUNT_MIN + AMOUNT_SPREAD * draw()) * 100) / 100
    return { index, method, currency, network: network.name === '' ? null : network.name, amount, luck: draw(), delay: draw() }
  }
  const rateOf = (gateway, { index, method, currency, network }) =>
    rateAt(gateway, { method: method.key, currency: currency.name, network: network ?? '', progress: index / paymentCount })
  return {
    seed,
    paymentCount,
    paymentAt,
    rateOf,
    isApproved: (gateway, payment) => payment.luck < rateOf(gateway, payment),
    visibleRateOf: (gateway, methodKey, index) => meanRateAt(gateway, methodKey, index / paymentCount),
  }
}
