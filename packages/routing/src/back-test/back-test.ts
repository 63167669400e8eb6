import type { GatewayDecided, OutcomeRecorded, PaymentsEvent } from '@switchyard/events'
import { decideCase } from '../decide/decide-gateway.ts'
import { recordedCosts } from '../decide/recorded-costs.ts'
import { createEliminationResolver, type EliminationRules, SHIPPED_ELIMINATION_RULES } from '../elimination/elimination-rules.ts'
import type { PaymentEffect } from '../outcomes/outcome-effect.ts'
import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { recordedClassOf } from '../outcomes/status-class.ts'
import { type ChosenBy, certain, choiceProbabilities } from './choice-probabilities.ts'
import { createEstimator, type Estimate, type Unestimable, type WeighedPayment } from './estimate.ts'
import { type CostEstimate, createCostEstimator, type PricedPayment } from './estimate-costs.ts'
import { type BackTestChanges, recordedCase } from './recorded-case.ts'
import { type ChooseByCost, chosenByCost, type WeighedAgain, weighAgain } from './weigh-again.ts'

/** Which decisions are weighed, and by what. Times in epoch milliseconds; the end is not included. */
export interface BackTestOptions {
  readonly changes: BackTestChanges
  /** Decisions before it only teach the windows. */
  readonly startMs: number
  readonly endMs: number
  /** Most decisions to weigh. */
  readonly decisionCountMax: number
  readonly eliminationRules?: EliminationRules
  readonly chooseByCost: ChooseByCost
}

/** Why there is no estimate: no cost is recorded to weigh, or cost had no say in these payments and was not given one. */
export type Unanswerable = Unestimable | 'NO_COSTS' | 'COSTS_NOT_WEIGHED'

/** What a back-test has seen, and what follows from it. */
export interface BackTestResult extends Omit<Estimate, 'unanswerable'> {
  readonly unanswerable: Unanswerable | null
  /** Of the payments that were weighed: those in which cost would have a say, and those of which any cost is known. */
  readonly costWeighedCount: number
  readonly pricedCount: number
  /** What approvals would cost, by currency. */
  readonly costs: readonly CostEstimate[]
  /** Decisions within the time, of all kinds. */
  readonly decisionCount: number
  /** Decisions that say nothing: others than by success rates, of single candidates, without recorded scores, or of a payment that is weighed already. */
  readonly unweighableCount: number
  /** Payments whose end is not known. */
  readonly openCount: number
  /** There were more decisions than are weighed. */
  readonly isCut: boolean
}

/** A decision whose end is looked for. */
interface WeighedDecision extends Omit<WeighedPayment, 'isApproved'>, PricedPayment {
  readonly gateway: string
  /** Whether cost would have a say. */
  readonly isCostWeighed: boolean
}

/** Replays the recorded events of one merchant, in their order. */
export interface BackTest {
  /** Answers how likely each candidate of a decision was and would be; undefined for what is not weighed. */
  readonly apply: (event: PaymentsEvent) => WeighedDecision | undefined
  readonly result: () => BackTestResult
}

type Decided = GatewayDecided['data']

const isApproval = (data: OutcomeRecorded['data']): boolean | undefined => {
  if (data.enforceFailure) return false
  const statusClass = recordedClassOf(data.status, data.statusClass)
  if (statusClass === 'SUCCESS') return true
  return statusClass === 'FAILURE' ? false : undefined
}

const NOT_WEIGHED: WeighedAgain = { isWanted: false, byCost: null }

/** What is asked about costs needs costs. */
const costProblem = ({ margin, multiObjective }: BackTestChanges, pricedCount: number, costWeighedCount: number): Unanswerable | null => {
  if (margin === undefined && multiObjective !== true) return null
  if (pricedCount === 0) return 'NO_COSTS'
  return costWeighedCount === 0 ? 'COSTS_NOT_WEIGHED' : null
}

type Counts = 'decisionCount' | 'unweighableCount' | 'openCount' | 'isCut'

/** The payments with a known end, added up. */
const estimated = (
  payments: ReadonlyMap<string, WeighedDecision>,
  ends: ReadonlyMap<string, boolean>,
  changes: BackTestChanges,
): Omit<BackTestResult, Counts> => {
  const estimator = createEstimator()
  const costs = createCostEstimator()
  let pricedCount = 0
  let costWeighedCount = 0
  for (const [paymentId, isApproved] of ends) {
    const payment = payments.get(paymentId)
    if (payment === undefined) continue
    estimator.add({ ...payment, isApproved })
    costs.add({ ...payment, isApproved }, payment)
    if (payment.costsBps.some((cost) => cost !== null)) pricedCount += 1
    if (payment.isCostWeighed) costWeighedCount += 1
  }
  const estimate = estimator.estimate()
  const unanswerable = estimate.unanswerable ?? costProblem(changes, pricedCount, costWeighedCount)
  if (unanswerable === null) return { ...estimate, unanswerable, pricedCount, costWeighedCount, costs: costs.estimates() }
  return { ...estimate, estimated: null, gain: null, unanswerable, pricedCount, costWeighedCount, costs: [] }
}

/** What of a decision is not recorded with it: what cost chose, and how the other settings would have it. */
interface Reconsidered extends Pick<WeighedDecision, 'proposed' | 'isCostWeighed'> {
  readonly byCost: string | null
}

const weighed = (data: Decided, { byCost, ...reconsidered }: Reconsidered): WeighedDecision | undefined => {
  const recorded = choiceProbabilities(data, byCost)
  const { candidates: gateways, gateway, scores: expected, currency, amount } = data
  const chosen = gateways.indexOf(gateway)
  if (recorded === undefined || gateways.length < 2 || (recorded[chosen] ?? 0) === 0) return undefined
  return { gateway, gateways, recorded, expected, chosen, currency, amount, costsBps: recordedCosts(data), ...reconsidered }
}

/** How a payment ended by the reports that waited for its decision; undefined when none of them told. */
const endOfWaiting = (effects: readonly PaymentEffect[], { paymentId, gateway }: Decided): boolean | undefined => {
  const own = effects.filter((effect) => effect.paymentId === paymentId && effect.gateway === gateway)
  const ends = own.flatMap((effect) => ('disposition' in effect && effect.success !== null ? [effect.success] : []))
  return ends.length === 0 ? undefined : ends.includes(true)
}

/**
 * A back-test of one merchant (part of analytics.md "Ours"): recorded decisions are made again under other settings, by the code
 * that makes them, on windows that have learned from the recorded outcomes as these settings would have had it. What it answers:
 * the share of approvals if each payment had been sent by the other settings, knowing what was recorded until then. What it can't
 * know: what they would have learned from payments that they would have sent elsewhere.
 */
export const createBackTest = (options: BackTestOptions): BackTest => {
  const { changes, startMs, endMs, decisionCountMax, chooseByCost, eliminationRules = SHIPPED_ELIMINATION_RULES } = options
  const unset = createEliminationResolver(eliminationRules)({ settings: null, flag: false, requested: null })
  const fold = createPaymentFold()
  const waiting = new Map<string, WeighedDecision>()
  const ends = new Map<string, boolean>()
  let decisionCount = 0
  let unweighableCount = 0
  let isCut = false

  const weigh = (data: Decided, other: ChosenBy): WeighedDecision | undefined => {
    const again = changes.priorityPlan === undefined ? weighAgain(data, other, changes, chooseByCost) : NOT_WEIGHED
    const proposed = choiceProbabilities(other, again.byCost) ?? certain(other)
    return weighed(data, { byCost: chosenByCost(data, chooseByCost), proposed, isCostWeighed: again.isWanted })
  }

  const decide = (event: GatewayDecided): WeighedDecision | undefined => {
    const { data } = event
    const one = recordedCase(data, changes, unset)
    const priorityPlan = changes.priorityPlan ?? ((_, candidates) => ({ gateways: candidates, tag: null, algorithmId: null, run: null }))
    const { decision } = decideCase(one, { windows: fold, eliminationRules, priorityPlan }, null)
    const effects = fold.apply({ ...event, data: { ...data, knobs: one.knobs, elimination: one.elimination, dimension: one.dimension } })
    if (effects === undefined || data.at < startMs || data.at >= endMs) return undefined // a copy, or of an earlier registration
    decisionCount += 1
    // Retries follow declines: in place of first decisions they would leave of these the approved ones alone.
    const isRetry = waiting.has(data.paymentId)
    if (!isRetry && waiting.size >= decisionCountMax) {
      isCut = true
      return undefined
    }
    const payment = isRetry ? undefined : weigh(data, { ...decision, rankingAlgorithm: one.request.rankingAlgorithm })
    if (payment === undefined) {
      unweighableCount += 1
      return undefined
    }
    waiting.set(data.paymentId, payment)
    const end = endOfWaiting(effects, data)
    if (end !== undefined) ends.set(data.paymentId, end)
    return payment
  }

  const report = (event: OutcomeRecorded): void => {
    if (fold.apply(event) === undefined) return
    const { paymentId, gateway } = event.data
    const isApproved = isApproval(event.data)
    if (isApproved === undefined || event.data.excused || waiting.get(paymentId)?.gateway !== gateway) return
    // A success that follows a failure corrects it, as everywhere.
    ends.set(paymentId, isApproved || ends.get(paymentId) === true)
  }

  return {
    apply: (event) => {
      if (event.type === 'GatewayDecided') return decide(event)
      if (event.type === 'OutcomeRecorded') report(event)
      else fold.apply(event)
      return undefined
    },
    result: () => ({
      ...estimated(waiting, ends, changes),
      decisionCount,
      unweighableCount,
      openCount: waiting.size - ends.size,
      isCut,
    }),
  }
}
