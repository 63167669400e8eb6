import type { GatewayDecidedPart, OutcomeRecordedPart } from '@switchyard/events'
import type { ExperimentEffect } from '../experiments/experiment-payments.ts'
import { type AskedWindows, type FoundWindows, isSameQuestion, type SharedQuestions } from './asked-windows.ts'
import { carriedOver } from './carried-over.ts'
import { correctOutcome, countOutcome, excuseOutcome, type Verdict } from './count-outcome.ts'
import type { PaymentFoldLimits } from './limits.ts'
import type { MerchantState, Report } from './merchant-state.ts'
import { SCORE_WITHOUT_OUTCOMES } from './merchant-windows.ts'
import { type CountedOutcome, countedOf, excusedOf, type OpenDecision } from './open-decision.ts'
import { type Judgement, type OutcomeEffect, type PaymentEffect, uncounted } from './outcome-effect.ts'
import { healthKeysOf, type PaymentTraits, type SharedTraits } from './payment-traits.ts'
import type { PendingReport } from './pending-reports.ts'
import { isFinal, recordedClassOf, verdictOf } from './status-class.ts'
import { isExcusedAgain, isSuccess, isToldApproval, saysTheSame, toldAgain, toldOnce } from './told-again.ts'

export const NO_EFFECTS: readonly PaymentEffect[] = Object.freeze([])

/** Whether a fixed arm of an experiment decided: then nothing is learnt from the outcomes of the payment (decide.md 6.5). */
const isUnscored = ({ experiment }: GatewayDecidedPart['data']): boolean =>
  experiment !== null && experiment.exclusion === null && experiment.algorithmId !== null

/** Whether a pending report is of an attempt before the decision, and that attempt's failure was excused. */
const isOverBefore = ({ gateway, dueAt }: PendingReport, open: OpenDecision): boolean =>
  dueAt < open.at + open.traits.latencyThresholdMs && excusedOf(open, gateway) !== null

const joined = (outcome: OutcomeEffect, experiment: ExperimentEffect | undefined): readonly PaymentEffect[] =>
  experiment === undefined ? [outcome] : [outcome, experiment]

/** What the merchants of a fold have in common. */
export interface FoldCommons {
  readonly limits: PaymentFoldLimits
  readonly traits: SharedTraits
  readonly questions: SharedQuestions
}

/**
 * Joins the reports of one merchant to its decisions and keeps the success-rate windows (contract/README.md 5). Each
 * gateway of a payment counts once. Deciding again replaces the open decision: its clock starts anew, and its candidates
 * are those that reports are held against. A reset forgets the windows; what was decided before counts in no later one.
 */
export class MerchantPayments {
  readonly state: MerchantState
  /** Parts of the state that decisions ask: one place in memory less to wait for. */
  readonly health: MerchantState['health']
  readonly #scoreWindows: MerchantState['windows']
  readonly #merchantId: string
  readonly #limits: PaymentFoldLimits
  readonly #traits: ReturnType<SharedTraits['recentOnes']>
  readonly #windows: ReturnType<SharedQuestions['recentOnes']>
  /** Of {@link #windows}: one place in memory less to wait for, here too. */
  #lastFound: FoundWindows | undefined

  constructor(merchantId: string, { limits, traits, questions }: FoldCommons, state: MerchantState) {
    this.#merchantId = merchantId
    this.#limits = limits
    this.state = state
    this.health = state.health
    this.#scoreWindows = state.windows
    this.#traits = traits.recentOnes()
    this.#windows = questions.recentOnes()
  }

  /** The decision that reports of this payment belong to. */
  openDecision(paymentId: string): OpenDecision | undefined {
    return this.state.oneOff.get(paymentId) ?? this.state.recurring.get(paymentId)
  }

  /** Scores of gateways in a dimension, over windows of `bucketSize` outcomes, in the order asked for; 1 for a gateway without outcomes. */
  scoresOf(asked: AskedWindows, bucketSize: number): readonly number[] {
    const last = this.#lastFound
    const found = last !== undefined && isSameQuestion(last.kind, asked) ? last : this.#find(asked)
    const windows = found.among(this.#scoreWindows)
    // Not mapped: a list that is made anew has to become one of fractions each time.
    const scores = new Array<number>(windows.length)
    for (let index = 0; index < windows.length; index++) scores[index] = windows[index]?.score(bucketSize) ?? SCORE_WITHOUT_OUTCOMES
    return scores
  }

  #find(asked: AskedWindows): FoundWindows {
    const found = this.#windows.of(asked)
    this.#lastFound = found
    return found
  }

  /** Whether a report of this payment would find what it belongs to. */
  knows(paymentId: string): boolean {
    return this.openDecision(paymentId) !== undefined || this.state.experiments.get(paymentId) !== undefined
  }

  /** A new attempt; answers what the reports that waited for it did. One by networks alone has no scores to learn (network.md 12). */
  decide(decision: GatewayDecidedPart['data']): readonly PaymentEffect[] {
    if (decision.rankingAlgorithm === 'NTW_BASED_ROUTING') return NO_EFFECTS
    const assigned = this.state.experiments.decide(decision)
    if (isUnscored(decision)) this.#forget(decision.paymentId)
    else this.#open(decision)
    const waited = this.#waited(decision)
    return assigned === undefined ? waited : [assigned, ...waited]
  }

  /** The new attempt, in place of an earlier one. */
  #open(decision: GatewayDecidedPart['data']): void {
    const { oneOff, recurring, epoch } = this.state
    const { paymentId } = decision
    const { traits } = this.#traits.of(decision)
    const earlier = this.openDecision(paymentId)
    const counted = earlier === undefined || earlier.epoch !== epoch ? null : carriedOver(earlier, traits)
    const open = { at: decision.at, traits, cardIsIn: decision.cardIsIn, epoch, counted }
    const isRecurring = traits.outcomeWindowMs === null
    const book = isRecurring ? recurring : oneOff
    if (earlier !== undefined) this.#forget(paymentId)
    book.addNew(paymentId, open)
    this.#passHealth(decision, traits)
  }

  /** What the reports that waited for the decision did. */
  #waited({ paymentId, at: decidedAt }: GatewayDecidedPart['data']): readonly PaymentEffect[] {
    const { waiting } = this.state
    const waited = waiting.get(paymentId)
    if (waited === undefined) return NO_EFFECTS
    waiting.delete(paymentId)
    const open = this.openDecision(paymentId)
    const inTime = waited.reports.filter(({ at }) => decidedAt - at <= this.#limits.waitingAgeMs)
    return inTime.flatMap((report) => joined(this.#effect(paymentId, report, open), this.#attributed(paymentId, report)))
  }

  /** An attempt before the next one is over. */
  #forget(paymentId: string): void {
    this.state.oneOff.delete(paymentId)
    this.state.recurring.delete(paymentId)
  }

  /** Counts a final report in the payment's experiment. */
  #attributed(paymentId: string, report: Report): ExperimentEffect | undefined {
    if (!isFinal(report)) return undefined
    const { at, gateway, gatewayLatencyMs } = report
    return this.state.experiments.report(this.#merchantId, paymentId, { at, success: isSuccess(report), gateway, gatewayLatencyMs })
  }

  /** A report: what it did. */
  report(outcome: OutcomeRecordedPart['data']): readonly PaymentEffect[] {
    const open = this.openDecision(outcome.paymentId)
    const { requestId, at, gateway, status, enforceFailure, excused, gatewayLatencyMs } = outcome
    const report = {
      requestId,
      at,
      gateway,
      status,
      enforceFailure,
      excused,
      gatewayLatencyMs,
      statusClass: recordedClassOf(status, outcome.statusClass),
    }
    const { paymentId } = outcome
    const isWaiting = open === undefined && this.state.experiments.get(paymentId) === undefined
    const effect = this.#effect(paymentId, report, open)
    if (isWaiting) this.#wait(paymentId, report)
    return joined(effect, this.#attributed(paymentId, report))
  }

  /**
   * Time has come to `now` (event time): payments of which only pending reports were heard until their latency threshold count
   * as failed (contract/README.md 2). Answers what the reports did after all.
   */
  age(now: number): readonly PaymentEffect[] {
    let effects: OutcomeEffect[] | undefined
    for (let count = 0; count < this.#limits.dueReportsPerEventMax; count++) {
      const due = this.state.pending.takeDue(now)
      if (due === undefined) break
      const { paymentId, dueAt: at, ...reported } = due
      const open = this.openDecision(paymentId)
      if (open !== undefined && isOverBefore(due, open)) continue
      const effect = this.#effect(paymentId, { ...reported, at, statusClass: 'OPEN', enforceFailure: false, gatewayLatencyMs: null }, open)
      if (effect.disposition !== 'counted' && effect.disposition !== 'excused') continue
      effects ??= []
      effects.push(effect)
    }
    return effects ?? NO_EFFECTS
  }

  /** The scores begin anew (contract/README.md 26). */
  reset(): void {
    this.state.windows.clear()
    this.state.pending.clear()
    this.state.epoch += 1
  }

  /** Tells the candidates that are down that a payment went by, or tries one of them. */
  #passHealth({ at, gateway, probe }: GatewayDecidedPart['data'], traits: PaymentTraits): void {
    if (!this.health.hasOutage) return
    const keys = healthKeysOf(traits)
    this.health.pass(keys, at, probe ? (keys[traits.candidates.indexOf(gateway)] ?? null) : null)
  }

  /**
   * What a report does; one that is pending is due when the threshold of its decision is over. A payment that was decided again since is then
   * younger: its report is pending once more.
   */
  #effect(paymentId: string, report: Report, open: OpenDecision | undefined): OutcomeEffect {
    const { disposition, success, score, slow, dropped, health } =
      open === undefined ? this.#unjudged(paymentId, report) : toldOnce(this.#judge(report, open), report, open)
    if (open !== undefined && disposition === 'pending') {
      const { requestId, gateway, status, excused } = report
      this.state.pending.add({ dueAt: open.at + open.traits.latencyThresholdMs, paymentId, requestId, gateway, status, excused })
    }
    // Named one by one: spreading takes longer than all the rest of this.
    return {
      merchantId: this.#merchantId,
      paymentId,
      requestId: report.requestId,
      gateway: report.gateway,
      status: report.status,
      at: report.at,
      disposition,
      success,
      score,
      slow,
      dropped,
      health,
      payment:
        open === undefined
          ? null
          : {
              decidedAt: open.at,
              paymentMethodType: open.traits.paymentMethodType,
              paymentMethod: open.traits.paymentMethod,
              cardNetwork: open.traits.cardNetwork,
              cardIsIn: open.cardIsIn,
              currency: open.traits.currency,
              country: open.traits.country,
              authType: open.traits.authType,
              window: open.traits.dimensionKey,
              bySuccessRate: open.traits.bySuccessRate,
            },
    }
  }

  /** Without windows that it could count in: whether the payment's arm, or a report that waits, has said the same. */
  #unjudged(paymentId: string, report: Report): Judgement {
    const assigned = this.state.experiments.get(paymentId)
    if (assigned?.isStatic) return uncounted(isToldApproval(report, assigned) ? 'repeated' : 'unscored')
    const isToldAgain = this.state.waiting.get(paymentId)?.reports.some((earlier) => saysTheSame(report, earlier))
    return uncounted(isToldAgain ? 'repeated' : 'waiting')
  }

  #judge(report: Report, open: OpenDecision): Judgement {
    const { candidates, latencyThresholdMs, outcomeWindowMs } = open.traits
    const candidate = candidates.indexOf(report.gateway)
    if (candidate < 0) return uncounted('foreign')
    if (open.epoch !== this.state.epoch) return uncounted('reset')
    const ageMs = Math.max(0, report.at - open.at)
    const { statusClass, enforceFailure } = report
    const success = verdictOf({ statusClass, enforceFailure, ageMs, latencyThresholdMs })
    const counted = countedOf(open, report.gateway)
    // Before its age: what is told again says the same when it is too late for the window, and is no second result.
    if (counted !== null && counted.success === success) return toldAgain(report, counted)
    if (success === false && isExcusedAgain(report, open)) return uncounted('repeated')
    if (outcomeWindowMs !== null && ageMs > outcomeWindowMs) return uncounted('late')
    if (success === null) return uncounted('pending')
    return this.#settle(report, open, { candidate, success }, counted)
  }

  /** What a verdict does, given what the gateway's earlier reports of the payment did. */
  #settle(report: Report, open: OpenDecision, verdict: Verdict, counted: CountedOutcome | null): Judgement {
    const { candidate, success } = verdict
    if (counted !== null) return success ? correctOutcome(this.state, report, open, { candidate, counted }) : uncounted('conflicting')
    // The filter is for failures only (decide.md 17.9): a success is never dropped.
    return report.excused && !success ? excuseOutcome(report, open) : countOutcome(this.state, report, open, verdict)
  }

  #wait(paymentId: string, report: Report): void {
    const { waiting } = this.state
    const known = waiting.get(paymentId)?.reports ?? []
    const kept = known.length < this.#limits.waitingPerPaymentMax ? known : known.slice(1)
    waiting.add(paymentId, { at: report.at, reports: [...kept, report] })
  }
}
