import { GATEWAYS, METHODS, PHASES, phaseOf } from './market.mjs'
import { referenceRouters } from './routers.mjs'

/** Name of the measured router in the comparison. */
export const ROUTER_NAME = 'Switchyard'

const indexesOf = (ledger, phase) => {
  const indexes = []
  for (let index = 0; index < ledger.paymentCount; index += 1) {
    if (phaseOf(index, ledger.paymentCount) === phase && ledger.gatewayOf(index) !== undefined) indexes.push(index)
  }
  return indexes
}

/** The last scores seen in the phase by method: what the router believed when the phase ended. */
const finalScores = (market, ledger, gateway, indexes) =>
  METHODS.map((method) => {
    const last = indexes.findLast((index) => market.paymentAt(index).method === method && !Number.isNaN(ledger.scoreOf(index, gateway)))
    if (last === undefined) return { method: method.key, score: Number.NaN, trueRate: Number.NaN }
    return { method: method.key, score: ledger.scoreOf(last, gateway), trueRate: market.visibleRateOf(gateway, method.key, last) }
  })

const gatewayRow = (market, ledger, { phase, indexes }, gateway) => {
  const routed = indexes.filter((index) => ledger.gatewayOf(index) === gateway)
  const approvedCount = routed.filter((index) => ledger.isApproved(index)).length
  return {
    phase: phase.name,
    gateway,
    paymentCount: routed.length,
    share: routed.length / indexes.length,
    approvalRate: approvedCount / routed.length,
    scores: finalScores(market, ledger, gateway, indexes),
  }
}

const comparisonRow = (name, phases, isApproved) => {
  const counts = phases.map(({ indexes }) => indexes.filter(isApproved).length)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const paymentCount = phases.reduce((sum, { indexes }) => sum + indexes.length, 0)
  return { name, rates: phases.map(({ indexes }, slot) => counts[slot] / indexes.length), approvalCount: total, rate: total / paymentCount }
}

/** The same market with its payments drawn once: the figures look at each of them many times. */
const withKnownPayments = (market) => {
  const payments = Array.from({ length: market.paymentCount }, (_, index) => market.paymentAt(index))
  return { ...market, paymentAt: (index) => payments[index] }
}

const summariseCached = (market, ledger) => {
  const phases = PHASES.map((phase) => ({ phase, indexes: indexesOf(ledger, phase) }))
  const answeredCount = phases.reduce((sum, { indexes }) => sum + indexes.length, 0)
  const references = referenceRouters(market).map(({ name, choose }) =>
    comparisonRow(name, phases, (index) => {
      const payment = market.paymentAt(index)
      return market.isApproved(choose(payment), payment)
    }),
  )
  const measured = comparisonRow(ROUTER_NAME, phases, (index) => ledger.isApproved(index))
  const exploredCount = phases.flatMap(({ indexes }) => indexes).filter((index) => ledger.isExplored(index)).length
  return {
    rows: phases.flatMap((phase) => GATEWAYS.map((gateway) => gatewayRow(market, ledger, phase, gateway))),
    comparison: [measured, ...references],
    answeredCount,
    unansweredCount: ledger.paymentCount - answeredCount,
    exploredShare: exploredCount / answeredCount,
  }
}

/**
 * The figures of a run: rows by phase and gateway, and the comparison with the reference routers on the same payments with
 * the same luck. Payments that were never answered count nowhere but in `unansweredCount`.
 *
 * @param {import('./market.mjs').Market} market
 * @param {import('./ledger.mjs').Ledger} ledger
 */
export const summarise = (market, ledger) => summariseCached(withKnownPayments(market), ledger)
