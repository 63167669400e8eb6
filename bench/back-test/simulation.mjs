// Back-tests of markets whose true rates are known: what the interval says, and what it should hold.
import { chooseByExpectedValue } from '@switchyard/costs'
import { createBackTest, createPaymentFold, decideGateway, gatewayDecided, pricingOf, SHIPPED_SCORING_DEFAULTS } from '@switchyard/routing'
import { sampleOutcomeRecorded } from '@switchyard/testing'
import { drawsOf } from '../../demo/random.mjs'
import { SHIPPED_SOURCES, simulatedRequest } from '../simulated-decisions.mjs'

const merchantId = 'm_back_test'
const INTERVAL_MS = 2_000
const CANDIDATES = ['gateway_0', 'gateway_1', 'gateway_2']

/** Half of the markets weigh cost, by this share of the amount as margin. */
const MARGIN = 0.2

const settingsOf = (hedgingPercent) => ({ ...SHIPPED_SCORING_DEFAULTS.settings, defaultHedgingPercent: hedgingPercent, margin: MARGIN })

/** What stands in an event of a weighing. */
const choose = (costsBps, { candidates, authRates, down, margin }) =>
  chooseByExpectedValue(
    candidates.map((gateway, index) => ({
      gateway,
      authRate: authRates[index],
      costBps: costsBps[index],
      isDown: down.includes(gateway),
    })),
    margin,
  )
const weighingBy = (costsBps) => (weighing) => {
  const { outcome, head, chosen, costSavedBps, gapOfTopTwo, ranked, fallbacks, reason } = choose(costsBps, weighing)
  const choice = {
    outcome,
    cause: 'UNKNOWN',
    marginRatio: weighing.margin,
    head,
    chosen,
    costSavedBps,
    gapRatio: gapOfTopTwo,
    ranked,
    modelVersion: null,
  }
  return { choice, fallbacks, reason }
}
const chooseByCost = ({ costsBps, marginRatio: margin, ...weighing }) => choose(costsBps, { ...weighing, margin }).chosen

/** Rates of three gateways, by the part of the market that is past; the leaders change places in half of the markets. */
const ratesOf = (draw) => {
  const rates = CANDIDATES.map(() => 0.7 + 0.25 * draw())
  const isSwapping = draw() < 0.5
  const time = 0.2 + 0.6 * draw()
  const swapped = [rates[1], rates[0], rates[2]]
  return (part) => (isSwapping && part >= time ? swapped : rates)
}

/** Order of the candidates as an algorithm would have it. */
const fixedOrder = (order) => () => ({ gateways: order, tag: null, algorithmId: null, run: null })

/** Other settings that are asked about, one a simulation. */
const CHANGES = [
  { bucketSize: 50 },
  { bucketSize: 400 },
  { hedgingPercent: 20 },
  { hedgingPercent: 1 },
  { adaptive: true },
  { multiObjective: true, margin: 0.1 },
  { multiObjective: false },
  { priorityPlan: fixedOrder(['gateway_1', 'gateway_0', 'gateway_2']) },
]

/** One market of so many payments with a seed: the answer of the back-test, and the truth of the very payments that it weighed. */
const simulate = ({ seed, paymentCount, hedgingPercent }) => {
  const draw = drawsOf(seed, 1)
  const rates = ratesOf(draw)
  const fold = createPaymentFold()
  const changes = CHANGES[seed % CHANGES.length]
  const backTest = createBackTest({ changes, startMs: 0, endMs: Number.MAX_SAFE_INTEGER, decisionCountMax: paymentCount, chooseByCost })
  const costsBps = CANDIDATES.map(() => 50 + 300 * draw())
  const enabled = draw() < 0.5 ? ['elimination', 'multi-objective-routing'] : ['elimination']
  const sources = {
    ...SHIPPED_SOURCES,
    features: { registered: true, enabled },
    successRateScoring: { settings: settingsOf(hedgingPercent) },
    windows: fold,
    weighCosts: weighingBy(costsBps),
    priceCosts: () => costsBps,
  }
  const truth = { approvals: 0, gain: 0, cost: 0, costChange: 0 }
  let weighedCount = 0
  for (let index = 0; index < paymentCount; index++) {
    const at = index * INTERVAL_MS
    const paymentId = `pay_${seed}_${index}`
    const request = simulatedRequest({ merchantId, paymentId, candidates: CANDIDATES, at, amount: 5 * 100 ** draw() })
    const { decision } = decideGateway(request, sources)
    const pricing = pricingOf(request, decision, sources)
    const decided = gatewayDecided(request, decision, { latencyUs: 0, merchantRegistrationCount: 1, pricing })
    const current = rates(index / paymentCount)
    const weighed = backTest.apply(decided)
    if (weighed !== undefined) {
      const { proposed, recorded } = weighed
      const feeOf = (place) => (request.payment.amount * costsBps[place]) / 10_000
      for (const [place, rate] of current.entries()) {
        truth.approvals += proposed[place] * rate
        truth.gain += (proposed[place] - recorded[place]) * rate
        truth.cost += proposed[place] * rate * feeOf(place)
        truth.costChange += (proposed[place] - recorded[place]) * rate * feeOf(place)
      }
      weighedCount += 1
    }
    const isApproved = draw() < current[CANDIDATES.indexOf(decision.gateway)]
    const report = { merchantId, paymentId, requestId: `${paymentId}:o`, gateway: decision.gateway, at: at + 1 }
    const outcome = sampleOutcomeRecorded({ ...report, status: isApproved ? 'CHARGED' : 'FAILURE' })
    fold.apply(decided)
    fold.apply(outcome)
    backTest.apply(outcome)
  }
  const result = backTest.result()
  return { result, truth: { ...truth, approvals: truth.approvals / weighedCount, gain: truth.gain / weighedCount } }
}

const holds = ({ low, high }, value) => low <= value && value <= high

/** How often the intervals of answered back-tests hold the truth. */
export const coverageOf = ({ simulations, firstSeed, paymentCount, hedgingPercent }) => {
  const counts = { answered: 0, held: 0, gainHeld: 0, halfWidthPp: 0, costHeld: 0, costChangeHeld: 0, costHalfWidth: 0 }
  for (let seed = firstSeed; seed < firstSeed + simulations; seed++) {
    const { result, truth } = simulate({ seed, paymentCount, hedgingPercent })
    if (result.estimated === null) continue
    const [{ cost }] = result.costs
    counts.answered += 1
    counts.halfWidthPp += 50 * (result.estimated.high - result.estimated.low)
    counts.costHalfWidth += (cost.estimated.high - cost.estimated.low) / 2 / cost.estimated.value
    if (holds(result.estimated, truth.approvals)) counts.held += 1
    if (holds(result.gain, truth.gain)) counts.gainHeld += 1
    if (holds(cost.estimated, truth.cost)) counts.costHeld += 1
    if (holds(cost.change, truth.costChange)) counts.costChangeHeld += 1
  }
  const { answered } = counts
  return {
    answered,
    coverage: counts.held / answered,
    gainCoverage: counts.gainHeld / answered,
    halfWidthPp: counts.halfWidthPp / answered,
    costCoverage: counts.costHeld / answered,
    costChangeCoverage: counts.costChangeHeld / answered,
    costHalfWidthShare: counts.costHalfWidth / answered,
  }
}
