import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'
import type { HealthChange } from '../elimination/gateway-health.ts'
import { type HealthFeed, MerchantHealth } from '../elimination/merchant-health.ts'
import { AgingMap } from './aging-map.ts'
import type { PaymentFoldLimits } from './limits.ts'
import { MerchantWindows, scoreOfWindow } from './merchant-windows.ts'
import type { DroppedOutcomes, Judgement, OutcomeDisposition, OutcomeEffect } from './outcome-effect.ts'
import { type PaymentTraits, SharedTraits } from './payment-traits.ts'
import { RecentNumbers } from './recent-numbers.ts'
import { recordedClassOf, type StatusClass, verdictOf } from './status-class.ts'

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
export interface Report
  extends Pick<OutcomeRecorded['data'], 'requestId' | 'at' | 'gateway' | 'status' | 'enforceFailure' | 'gatewayLatencyMs'> {
  /** What the status says, as it was recorded. */
  readonly statusClass: StatusClass
}

/** Reports of one payment without a decision; dated by the newest. */
export interface WaitingReports {
  readonly at: number
  readonly reports: readonly Report[]
}

/** What the fold knows of one merchant. */
export interface MerchantState {
  readonly windows: MerchantWindows
  readonly health: MerchantHealth
  readonly oneOff: AgingMap<OpenDecision>
  readonly recurring: AgingMap<OpenDecision>
  readonly waiting: AgingMap<WaitingReports>
  /** Identities of the newest events of every kind, by which copies are known. */
  readonly recent: RecentNumbers
}

export const NO_EFFECTS: readonly OutcomeEffect[] = Object.freeze([])

const uncounted = (disposition: OutcomeDisposition): Judgement => ({
  disposition,
  success: null,
  score: null,
  slow: false,
  dropped: null,
  health: null,
})

const countedOf = (open: OpenDecision, candidate: number): CountedOutcome | null => {
  let outcome = open.counted
  while (outcome !== null && outcome.candidate !== candidate) outcome = outcome.earlier
  return outcome
}

/** A window's first entry: a success from the start, so that turning it to one changes nothing. */
const OPTIMISTIC_SEQUENCE = 0

/**
 * What counted under an earlier decision of the payment counts no second time. In another window there is no entry of it
 * that a later success could correct.
 */
const carriedOver = ({ counted, traits }: OpenDecision, { candidates, dimensionKey }: PaymentTraits): CountedOutcome | null => {
  let carried: CountedOutcome | null = null
  for (let outcome = counted; outcome !== null; outcome = outcome.earlier) {
    const candidate = candidates.indexOf(traits.candidates[outcome.candidate] ?? '')
    const sequence = dimensionKey === traits.dimensionKey ? outcome.sequence : OPTIMISTIC_SEQUENCE
    if (candidate >= 0) carried = { candidate, sequence, success: outcome.success, earlier: carried }
  }
  return carried
}

/** Slower than the merchant's limit: a success all the same, and no reason to doubt the gateway (decide.md 17.9). */
const isSlow = ({ gatewayLatencyMs }: Report, { traits }: OpenDecision): boolean => {
  const limitMs = traits.elimination?.latencyLimitMs ?? null
  return limitMs !== null && gatewayLatencyMs !== null && gatewayLatencyMs > limitMs
}

const feedHealth = ({ health }: MerchantState, { traits }: OpenDecision, feed: Omit<HealthFeed, 'knobs'>): HealthChange =>
  traits.elimination === null ? null : health.feed({ ...feed, knobs: traits.elimination })

/** A gateway that is back after an outage, or that has another rate now, is not held to what it was before. */
const dropOutdated = ({ windows }: MerchantState, { traits }: OpenDecision, key: string, change: HealthChange): DroppedOutcomes | null => {
  const { adaptive, elimination } = traits
  if (!adaptive) return null
  if (change === 'up' && elimination !== null) return windows.keepNewest(key, elimination.recoveryRunCount)
  return windows.dropOutdated(key)
}

/** The first terminal outcome of a payment and gateway: a new entry of the window. */
const countOutcome = (
  state: MerchantState,
  report: Report,
  open: OpenDecision,
  { candidate, success }: Pick<CountedOutcome, 'candidate' | 'success'>,
): Judgement => {
  const { bucketSize, adaptive, windowKeys, healthKeys } = open.traits
  const { at } = report
  const key = windowKeys[candidate] ?? ''
  const sequence = state.windows.feed({ key, success, bucketSize, adaptive, at })
  open.counted = { candidate, sequence, success, earlier: open.counted }
  const health = feedHealth(state, open, { key: healthKeys[candidate] ?? '', kind: success ? 'success' : 'failure', at })
  const dropped = dropOutdated(state, open, key, health)
  const score = scoreOfWindow(state.windows.get(key), bucketSize)
  return { disposition: 'counted', success, score, slow: success && isSlow(report, open), dropped, health }
}

/** A success after a counted failure of the same gateway turns the entry, if it is still in the window. */
const correctOutcome = (state: MerchantState, report: Report, open: OpenDecision, counted: CountedOutcome): Judgement => {
  const { bucketSize, windowKeys, healthKeys } = open.traits
  counted.success = true
  const key = windowKeys[counted.candidate] ?? ''
  const window = state.windows.get(key)
  window?.turnToSuccess(counted.sequence) // has left the window otherwise: nothing is pushed a second time
  const health = feedHealth(state, open, { key: healthKeys[counted.candidate] ?? '', kind: 'correction', at: report.at })
  const dropped = dropOutdated(state, open, key, health)
  const score = window === undefined ? null : scoreOfWindow(window, bucketSize)
  return { disposition: 'corrected', success: true, score, slow: isSlow(report, open), dropped, health }
}

/** An empty state within the limits. */
export const emptyMerchantState = (limits: PaymentFoldLimits): MerchantState => ({
  windows: new MerchantWindows(limits.windowCountMax),
  health: new MerchantHealth(limits.windowCountMax),
  oneOff: new AgingMap({ countMax: limits.openDecisionCountMax, ageMsMax: limits.openDecisionAgeMs }),
  recurring: new AgingMap({ countMax: limits.openDecisionCountMax, ageMsMax: limits.recurringDecisionAgeMs }),
  waiting: new AgingMap({ countMax: limits.waitingPaymentCountMax, ageMsMax: limits.waitingAgeMs }),
  recent: new RecentNumbers(limits.recentEventCountMax),
})

/**
 * Joins the reports of one merchant to its decisions and keeps the success-rate windows (contract/README.md 5). Each
 * gateway of a payment counts once. Deciding again replaces the open decision: its clock starts anew, and its candidates
 * are those that reports are held against.
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
    const traits = this.#traits.of(decision)
    const earlier = this.openDecision(paymentId)
    const counted = earlier === undefined ? null : carriedOver(earlier, traits)
    const open = { at: decision.at, traits, cardIsIn: decision.cardIsIn, counted }
    const isRecurring = traits.outcomeWindowMs === null
    ;(isRecurring ? oneOff : recurring).delete(paymentId)
    ;(isRecurring ? recurring : oneOff).add(paymentId, open)
    this.#passHealth(decision, traits)
    const waited = waiting.get(paymentId)
    if (waited === undefined) return NO_EFFECTS
    waiting.delete(paymentId)
    const inTime = waited.reports.filter(({ at }) => decision.at - at <= this.#limits.waitingAgeMs)
    return inTime.map((report) => this.#effect(paymentId, report, open))
  }

  /** A report: what it did. */
  report(outcome: OutcomeRecorded['data']): OutcomeEffect {
    const open = this.openDecision(outcome.paymentId)
    const { requestId, at, gateway, status, enforceFailure, gatewayLatencyMs } = outcome
    const report = {
      requestId,
      at,
      gateway,
      status,
      enforceFailure,
      gatewayLatencyMs,
      statusClass: recordedClassOf(status, outcome.statusClass),
    }
    if (open === undefined) this.#wait(outcome.paymentId, report)
    return this.#effect(outcome.paymentId, report, open)
  }

  /** Tells the candidates that are down that a payment went by, or tries one of them. */
  #passHealth({ at, gateway, probe }: GatewayDecided['data'], { candidates, healthKeys }: PaymentTraits): void {
    const probed = probe ? candidates.indexOf(gateway) : -1
    this.state.health.pass(healthKeys, at, healthKeys[probed] ?? null)
  }

  #effect(paymentId: string, report: Report, open: OpenDecision | undefined): OutcomeEffect {
    const judgement = open === undefined ? uncounted('waiting') : this.#judge(report, open)
    return {
      merchantId: this.#merchantId,
      paymentId,
      requestId: report.requestId,
      gateway: report.gateway,
      status: report.status,
      at: report.at,
      ...judgement,
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
    const { statusClass, enforceFailure } = report
    const success = verdictOf({ statusClass, enforceFailure, ageMs, latencyThresholdMs })
    if (success === null) return uncounted('pending')
    const counted = countedOf(open, candidate)
    if (counted === null) return countOutcome(this.state, report, open, { candidate, success })
    if (counted.success === success) return uncounted('repeated')
    return success ? correctOutcome(this.state, report, open, counted) : uncounted('conflicting')
  }

  #wait(paymentId: string, report: Report): void {
    const { waiting } = this.state
    const known = waiting.get(paymentId)?.reports ?? []
    const kept = known.length < this.#limits.waitingPerPaymentMax ? known : known.slice(1)
    waiting.add(paymentId, { at: report.at, reports: [...kept, report] })
  }
}
