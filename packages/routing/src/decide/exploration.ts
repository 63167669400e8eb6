import { unitInterval } from '@switchyard/kernel'

const SHARE_SALT = 'hedging'
const CHOICE_SALT = 'hedging-choice'

/** The payment's draw, 0 up to 100: it explores when the draw is below the share of payments that do. */
export const explorationDraw = (paymentId: string): number => unitInterval(SHARE_SALT, paymentId) * 100

/**
 * The gateway that a payment explores, or undefined when it goes to the best one (contract/README.md 3 and 4).
 * `hedgingPercent` is the share of payments, in total, that goes to other gateways, evenly over them. A hash of the payment
 * id decides, so the same payment explores the same gateway again.
 *
 * @param ranked Candidates, best first.
 */
export const exploredGateway = (paymentId: string, ranked: readonly string[], hedgingPercent: number): string | undefined => {
  if (ranked.length < 2 || explorationDraw(paymentId) >= hedgingPercent) return undefined
  const others = ranked.slice(1).sort()
  return others[Math.floor(unitInterval(CHOICE_SALT, paymentId) * others.length)]
}
