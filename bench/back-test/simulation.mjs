// Back-tests of markets whose true rates are known: what the interval says, and what it should hold.
import { createBackTest, createPaymentFold, decideGateway, gatewayDecided, SHIPPED_SCORING_DEFAULTS } from '@switchyard/routing'
import { sampleOutcomeRecorded } from '@switchyard/testing'
import { drawsOf } from '../../demo/random.mjs'
import { SHIPPED_SOURCES, simulatedRequest } from '../simulated-decisions.mjs'

const merchantId = 'm_back_test'
const INTERVAL_MS = 2_000
const CANDIDATES = ['gateway_0', 'gateway_1', 'gateway_2']

const FEATURES = { registered: true, enabled: ['elimination'] }

const settingsOf = (hedgingPercent) => ({ ...SHIPPED_SCORING_DEFAULTS.settings, defaultHedgingPercent: hedgingPercent })

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
  { priorityPlan: fixedOrder(['gateway_1', 'gateway_0', 'gateway_2']) },
]

/** One market of so many payments with a seed: the answer of the back-test, and the truth of the very payments that it weighed. */
const simulate = ({ seed, paymentCount, hedgingPercent }) => {
  const draw = drawsOf(seed, 1)
  const rates = ratesOf(draw)
  const fold = createPaymentFold()
  const changes = CHANGES[seed % CHANGES.length]
  const backTest = createBackTest({ changes, startMs: 0, endMs: Number.MAX_SAFE_INTEGER, decisionCountMax: paymentCount })
  const scoring = { settings: settingsOf(hedgingPercent) }
  const sources = { ...SHIPPED_SOURCES, features: FEATURES, successRateScoring: scoring, windows: fold }
  let truth = 0
  let truthRecorded = 0
  let weighedCount = 0
  for (let index = 0; index < paymentCount; index++) {
    const at = index * INTERVAL_MS
    const paymentId = `pay_${seed}_${index}`
    const request = simulatedRequest({ merchantId, paymentId, candidates: CANDIDATES, at })
    const { decision } = decideGateway(request, sources)
    const decided = gatewayDecided(request, decision, { latencyUs: 0, merchantRegistrationCount: 1 })
    const current = rates(index / paymentCount)
    const weighed = backTest.apply(decided)
    if (weighed !== undefined) {
      truth += weighed.proposed.reduce((sum, share, place) => sum + share * current[place], 0)
      truthRecorded += weighed.recorded.reduce((sum, share, place) => sum + share * current[place], 0)
      weighedCount += 1
    }
    const isApproved = draw() < current[CANDIDATES.indexOf(decision.gateway)]
    const report = { merchantId, paymentId, requestId: `${paymentId}:o`, gateway: decision.gateway, at: at + 1 }
    const outcome = sampleOutcomeRecorded({ ...report, status: isApproved ? 'CHARGED' : 'FAILURE' })
    fold.apply(decided)
    fold.apply(outcome)
    backTest.apply(outcome)
  }
  return { result: backTest.result(), truth: truth / weighedCount, trueGain: (truth - truthRecorded) / weighedCount }
}

const holds = ({ low, high }, value) => low <= value && value <= high

/** How often the intervals of answered back-tests hold the truth. */
export const coverageOf = ({ simulations, firstSeed, paymentCount, hedgingPercent }) => {
  const counts = { answered: 0, held: 0, gainHeld: 0, halfWidthPp: 0 }
  for (let seed = firstSeed; seed < firstSeed + simulations; seed++) {
    const { result, truth, trueGain } = simulate({ seed, paymentCount, hedgingPercent })
    if (result.estimated === null) continue
    counts.answered += 1
    counts.halfWidthPp += 50 * (result.estimated.high - result.estimated.low)
    if (holds(result.estimated, truth)) counts.held += 1
    if (holds(result.gain, trueGain)) counts.gainHeld += 1
  }
  const { answered, held, gainHeld, halfWidthPp } = counts
  return { answered, coverage: held / answered, gainCoverage: gainHeld / answered, halfWidthPp: halfWidthPp / answered }
}
