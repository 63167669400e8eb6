import { drawsOf } from '../random.mjs'
import { feePartsOf } from './tariff.mjs'

const MS_PER_DAY = 86_400_000
const CENTS = 100

/** What happens to a payment beside its settlement; shares of all payments. */
const NO_EVENTS = { refund: 0, chargeback: 0 }

/**
 * Payments of an account in the order of their days, one at a time: nothing is kept, so any number can be written. Each of
 * them is drawn for itself, by seed and number.
 *
 * @param {import('./payments.mjs').PaymentOptions} options
 */
export function* settledPayments({ seed, account, count, firstDay, dayCount, noise = 0.01, events = NO_EVENTS }) {
  const { clusters } = account
  const firstMs = Date.parse(`${firstDay}T00:00:00Z`)
  for (let index = 0; index < count; index++) {
    const draw = drawsOf(seed, index)
    const cluster = clusters[Math.floor(draw() * clusters.length)]
    const { from, to } = cluster.kind.amounts
    const amount = Math.round(from * (to / from) ** draw() * CENTS) / CENTS
    const { interchange, scheme, markup } = feePartsOf(cluster.tariff, amount)
    const factor = 1 + noise * (2 * draw() - 1)
    const fate = draw()
    yield {
      index,
      cluster,
      amount,
      fee: { interchange: interchange * factor, scheme: scheme * factor, markup: markup * factor },
      dayMs: firstMs + Math.floor((index * dayCount) / count) * MS_PER_DAY,
      isRefunded: fate < events.refund,
      isChargedBack: fate >= events.refund && fate < events.refund + events.chargeback,
    }
  }
}
