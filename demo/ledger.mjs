import { GATEWAYS } from './market.mjs'

const UNANSWERED = -1

/**
 * What happened to every payment of a run, in arrays by payment index.
 *
 * @param {number} paymentCount
 */
export const createLedger = (paymentCount) => {
  const gateways = new Int8Array(paymentCount).fill(UNANSWERED)
  const approvals = new Uint8Array(paymentCount)
  const explorations = new Uint8Array(paymentCount)
  const scores = new Float32Array(paymentCount * GATEWAYS.length).fill(Number.NaN)

  const record = (index, { gateway, isApproved, explored, scoreOf }) => {
    const chosen = GATEWAYS.indexOf(gateway)
    if (chosen < 0) throw new Error(`the router chose ${gateway}, which is not a gateway of this market`)
    gateways[index] = chosen
    approvals[index] = isApproved ? 1 : 0
    explorations[index] = explored ? 1 : 0
    for (const [slot, name] of GATEWAYS.entries()) {
      const score = scoreOf?.[name]
      if (score !== undefined) scores[index * GATEWAYS.length + slot] = score
    }
  }

  /** The gateway of a payment, or undefined when it was never decided. */
  const gatewayOf = (index) => GATEWAYS[gateways[index]]

  return {
    paymentCount,
    record,
    gatewayOf,
    isApproved: (index) => approvals[index] === 1,
    isExplored: (index) => explorations[index] === 1,
    /** The score that the router answered for a gateway with this payment; NaN when it answered none. */
    scoreOf: (index, gateway) => scores[index * GATEWAYS.length + GATEWAYS.indexOf(gateway)],
  }
}
