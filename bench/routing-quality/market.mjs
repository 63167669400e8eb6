import { drawsOf } from '../../demo/random.mjs'

const ID_STREAM = 0
const OUTCOME_STREAM = 1
const UINT32_COUNT = 4_294_967_296

const hex = (draw) =>
  Math.floor(draw * UINT32_COUNT)
    .toString(16)
    .padStart(8, '0')

/** Runs a market; gives the approvals to be expected of the router's choices as a share of an all-knowing router's. */
export const approvalShare = async (scenario, seed, router) => {
  const { gateways, paymentCount, intervalMs, lagCount } = scenario
  const candidates = gateways.map((_, index) => `gateway_${index}`)
  const drawId = drawsOf(seed, ID_STREAM)
  const drawOutcome = drawsOf(seed, OUTCOME_STREAM)
  const underway = []
  let expected = 0
  let possible = 0
  for (let index = 0; index < paymentCount; index++) {
    const at = Math.round(index * intervalMs)
    const outcome = underway[index - lagCount]
    if (outcome !== undefined) await router.report(outcome.paymentId, outcome.gateway, outcome.isApproved, at)
    const rates = gateways.map((gateway) => gateway.at(index / paymentCount))
    const paymentId = `pay_${hex(drawId())}${hex(drawId())}`
    const gateway = await router.decide(paymentId, candidates, at)
    const rate = rates[candidates.indexOf(gateway)] ?? 0
    underway.push({ paymentId, gateway, isApproved: drawOutcome() < rate })
    expected += rate
    possible += Math.max(...rates)
  }
  return expected / possible
}
