import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'
import { AgingMap } from './aging-map.ts'
import type { PaymentFoldLimits } from './limits.ts'
import { MerchantWindows, scoreOfWindow, windowKey } from './merchant-windows.ts'
import type { OutcomeDisposition, OutcomeEffect } from './outcome-effect.ts'
import { type PaymentTraits, SharedTraits, traitsOf } from './payment-traits.ts'
import { verdictOf } from './status-class.ts'

/** An outcome of an open decision that counts in a window; a linked list, because nearly always there is one. */
export interface CountedOutcome {
  /** Index of the gateway among the candidates. */
  readonly candidate: number
  /** Number of the window's entry. */
  readonly sequence: number
  success: boolean
  /** The outcome that counted before this one. */
  readonly earlier: CountedOutcome | null
}

/** A decision whose outcomes may still come. */
export interface OpenDecision {
  /** Epoch milliseconds. */
  readonly at: number
  readonly traits: PaymentTraits
  readonly cardIsIn: string | null
  /** The newest outcome that counts; at most one a candidate. */
  counted: CountedOutcome | null
}

/** What of a report is needed to judge it. */
export type Report = Pick<OutcomeRecorded['data'], 'requestId' | 'at' | 'gateway' | 'status' | 'enforceFailure'>

/** Reports of one payment without a decision; dated by the newest. */
export interface WaitingReports {
  readonly at: number
  readonly reports: readonly Report[]
}

/** What the fold knows of one merchant. */
export interface MerchantState {
  readonly windows: MerchantWindows
  readonly oneOff: AgingMap<OpenDecision>
  readonly recurring: AgingMap<OpenDecision>
  readonly waiting: AgingMap<WaitingReports>
}

type Judgement = Pick<OutcomeEffect, 'disposition' | 'success' | 'score'>

export const NO_EFFECTS: readonly OutcomeEffect[] = Object.freeze([])

const uncounted = (disposition: OutcomeDisposition): Judgement => ({ disposition, success: null, score: null })

const countedOf = (open: OpenDecision, candidate: number): CountedOutcome | null => {
  let outcome = open.counted
  while (outcome !== null && outcome.candidate !== candidate) outcome = outcome.earlier
  return outcome
}

/** An empty state within the limits. */
export const emptyMerchantState = (limits: PaymentFoldLimits): MerchantState => ({
  windows: new MerchantWindows(limits.windowCountMax),
  oneOff: new AgingMap({ countMax: limits.openDecisionCountMax, ageMsMax: limits.openDecisionAgeMs }),
  recurring: new AgingMap({ countMax: limits.openDecisionCountMax, ageMsMax: limits.recurringDecisionAgeMs }),
  waiting: new AgingMap({ countMax: limits.waitingPaymentCountMax, ageMsMax: limits.waitingAgeMs }),
})

/**
 * Joins the reports of one merchant to its decisions and keeps the success-rate windows (contract/README.md 5). An
 * attempt is one decision of a payment: deciding again replaces it, its clock starts anew and its gateways may count
 * again. Within an attempt every candidate counts once.
 */
export class MerchantPayments {
  readonly state: MerchantState
  readonly #merchantId: string
  readonly #limits: PaymentFoldLimits
  readonly #traits: SharedTraits

  constructor(merchantId: string, limits: PaymentFoldLimits, state: MerchantState) {
    this.#merchantId = merchantId
    this.#limits = limits
    this.state = state
    this.#traits = new SharedTraits(limits.sharedTraitsCountMax)
  }

  /** The decision that reports of this payment belong to. */
  openDecision(paymentId: string): OpenDecision | undefined {
    return this.state.oneOff.get(paymentId) ?? this.state.recurring.get(paymentId)
  }

  /** A new attempt; answers what the reports that waited for it did. */
  decide(decision: GatewayDecided['data']): readonly OutcomeEffect[] {
    const { oneOff, recurring, waiting } = this.state
    const { paymentId } = decision
    const traits = this.#traits.share(traitsOf(decision))
    const open = { at: decision.at, traits, cardIsIn: decision.cardIsIn, counted: null }
    const isRecurring = traits.outcomeWindowMs === null
    ;(isRecurring ? oneOff : recurring).delete(paymentId)
    ;(isRecurring ? recurring : oneOff).add(paymentId, open)
    const waited = waiting.get(paymentId)
    if (waited === undefined) return NO_EFFECTS
    waiting.delete(paymentId)
    const inTime = waited.reports.filter(({ at }) => decision.at - at <= this.#limits.waitingAgeMs)
    return inTime.map((report) => this.#effect(paymentId, report, open))
  }

  /** A report: what it did. */
  report(outcome: OutcomeRecorded['data']): OutcomeEffect {
    const open = this.openDecision(outcome.paymentId)
    if (open === undefined) this.#wait(outcome)
    return this.#effect(outcome.paymentId, outcome, open)
  }

  #effect(paymentId: string, report: Report, open: OpenDecision | undefined): OutcomeEffect {
    const { disposition, success, score } = open === undefined ? uncounted('waiting') : this.#judge(report, open)
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
            },
    }
  }

  #judge(report: Report, open: OpenDecision): Judgement {
    const { candidates, latencyThresholdMs, outcomeWindowMs } = open.traits
    const candidate = candidates.indexOf(report.gateway)
    if (candidate < 0) return uncounted('foreign')
    const ageMs = Math.max(0, report.at - open.at)
    if (outcomeWindowMs !== null && ageMs > outcomeWindowMs) return uncounted('late')
    const { status, enforceFailure } = report
    const success = verdictOf({ status, enforceFailure, ageMs, latencyThresholdMs })
    if (success === null) return uncounted('pending')
    const counted = countedOf(open, candidate)
    if (counted === null) return this.#count(report, open, success)
    if (counted.success === success) return uncounted('repeated')
    return success ? this.#correct(report, open, counted) : uncounted('conflicting')
  }

  #count(report: Report, open: OpenDecision, success: boolean): Judgement {
    const { bucketSize, candidates, dimensionKey } = open.traits
    const key = windowKey(dimensionKey, report.gateway)
    const sequence = this.state.windows.feed({ key, success, bucketSize, at: report.at })
    open.counted = { candidate: candidates.indexOf(report.gateway), sequence, success, earlier: open.counted }
    return { disposition: 'counted', success, score: scoreOfWindow(this.state.windows.get(key), bucketSize) }
  }

  #correct(report: Report, open: OpenDecision, counted: CountedOutcome): Judgement {
    const { bucketSize, dimensionKey } = open.traits
    counted.success = true
    const window = this.state.windows.get(windowKey(dimensionKey, report.gateway))
    if (window === undefined) return { disposition: 'corrected', success: true, score: null }
    window.turnToSuccess(counted.sequence) // has left the window otherwise: nothing is pushed a second time
    return { disposition: 'corrected', success: true, score: scoreOfWindow(window, bucketSize) }
  }

  #wait({ paymentId, requestId, at, gateway, status, enforceFailure }: OutcomeRecorded['data']): void {
    const { waiting } = this.state
    const known = waiting.get(paymentId)?.reports ?? []
    const kept = known.length < this.#limits.waitingPerPaymentMax ? known : known.slice(1)
    waiting.add(paymentId, { at, reports: [...kept, { requestId, at, gateway, status, enforceFailure }] })
  }
}
