import type { GatewayDecidedPart } from '@switchyard/events'
import { recordedCosts, recordedSaving } from '../decide/recorded-costs.ts'
import { AgingMap } from '../outcomes/aging-map.ts'
import { Interned } from '../outcomes/interned.ts'
import type { Arm } from './experiment.ts'

type Decision = GatewayDecidedPart['data']

/** What of a payment its figures are told apart by; values as sent, null for what is absent. */
export interface ExperimentSegment {
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardNetwork: string | null
  readonly currency: string
  readonly country: string | null
}

/** What is known of a payment's end: nothing final, only failures, or a success, which stays. */
export type ExperimentStanding = 'open' | 'failed' | 'succeeded'

/** What a payment costs at the gateway that it was decided for; both bps of the amount. */
interface PaymentCost {
  /** Null when nothing tells. */
  readonly costBps: number | null
  /** Saved beside the gateway with the best approval; null when cost was not weighed. */
  readonly savedBps: number | null
}

/** A payment that counts in an experiment. */
export interface AssignedPayment extends PaymentCost {
  readonly experimentId: string
  readonly arm: Arm
  /** Whether the arm's algorithm decided: then no outcome of it says anything about success rates (decide.md 6.5). */
  readonly isStatic: boolean
  /** When it fell into the arm, epoch milliseconds. */
  readonly at: number
  /** Gateway that it was decided for last. */
  readonly gateway: string
  /** Major currency units. */
  readonly amount: number
  readonly segment: ExperimentSegment
  readonly standing: ExperimentStanding
}

/** What an event changed of an experiment: a payment fell into an arm (`standing` open), or its end became known. */
export interface ExperimentEffect extends Omit<AssignedPayment, 'isStatic' | 'at'> {
  readonly merchantId: string
  readonly paymentId: string
  /** When the payment fell into the arm, epoch milliseconds. */
  readonly assignedAt: number
  /** When this happened, epoch milliseconds. */
  readonly at: number
  /** What was known before; null of a payment that is new. */
  readonly before: ExperimentStanding | null
  /** Time that the gateway took, as reported with the outcome; milliseconds. */
  readonly gatewayLatencyMs: number | null
}

/** What a report says that is final. */
export interface FinalReport {
  readonly at: number
  readonly success: boolean
  /** Whom the report is about: a retry at a fallback is another one than was decided for. */
  readonly gateway: string
  readonly gatewayLatencyMs: number | null
}

const segmentOf = ({ paymentMethodType, paymentMethod, cardNetwork, currency, country }: Decision): ExperimentSegment => ({
  paymentMethodType,
  paymentMethod,
  cardNetwork,
  currency,
  country,
})

const costOf = (decision: Decision): PaymentCost => ({
  costBps: recordedCosts(decision)[decision.candidates.indexOf(decision.gateway)] ?? null,
  savedBps: recordedSaving(decision),
})

/** What was decided says nothing about another gateway. */
const UNKNOWN_COST: PaymentCost = { costBps: null, savedBps: null }

/** How many payments of experiments are remembered. */
export interface ExperimentLimits {
  /** Payments in experiments whose outcome may still come, or be corrected, without a limit of time. The oldest goes when it is full. */
  readonly experimentOpenCountMax: number
  /** Payments in experiments that succeeded: they are remembered so that nothing of them counts twice. */
  readonly experimentSuccessCountMax: number
}

/** Different segments that are kept once for all payments that share them. */
const SHARED_SEGMENT_COUNT_MAX = 1_024

/**
 * Payments of one merchant that count in experiments: attributes outcomes to arms, however late they come
 * (analytics.md 6.4 "Ours"). Bounded by count only; the payments that were decided longest ago go first.
 */
export class ExperimentPayments {
  readonly #open: AgingMap<AssignedPayment>
  readonly #succeeded: AgingMap<AssignedPayment>
  #segments: Interned<ExperimentSegment> | undefined

  constructor({ experimentOpenCountMax, experimentSuccessCountMax }: ExperimentLimits) {
    const ageMsMax = Number.POSITIVE_INFINITY
    this.#open = new AgingMap({ countMax: experimentOpenCountMax, ageMsMax })
    this.#succeeded = new AgingMap({ countMax: experimentSuccessCountMax, ageMsMax })
  }

  get size(): number {
    return this.#open.size + this.#succeeded.size
  }

  /** Those whose end is open first, each oldest first. */
  *entries(): Generator<[string, AssignedPayment]> {
    yield* this.#open.entries()
    yield* this.#succeeded.entries()
  }

  /** Puts back an entry of a snapshot. */
  restore(paymentId: string, payment: AssignedPayment): void {
    const { standing, segment } = payment
    ;(standing === 'succeeded' ? this.#succeeded : this.#open).restore(paymentId, { ...payment, segment: this.#shared(segment) })
  }

  get(paymentId: string): AssignedPayment | undefined {
    return this.#open.get(paymentId) ?? this.#succeeded.get(paymentId)
  }

  /** A decision: what it changed; undefined for one outside of experiments, and for a retry. */
  decide(decision: Decision): ExperimentEffect | undefined {
    const { merchantId, paymentId, experiment, at, gateway, amount } = decision
    if (experiment === null || experiment.exclusion !== null || experiment.arm === 'UNKNOWN') return undefined
    const { experimentId, arm } = experiment
    const isStatic = experiment.algorithmId !== null
    const earlier = this.get(paymentId)
    if (earlier?.experimentId === experimentId) {
      // A retry: the payment counts once, in the arm that it fell into first.
      ;(earlier.standing === 'succeeded' ? this.#succeeded : this.#open).replace(paymentId, {
        ...earlier,
        ...costOf(decision),
        isStatic,
        gateway,
      })
      return undefined
    }
    const segment = this.#shared(segmentOf(decision))
    const payment = { experimentId, arm, gateway, amount, ...costOf(decision), segment, standing: 'open' } as const
    this.#succeeded.delete(paymentId)
    this.#open.add(paymentId, { ...payment, isStatic, at })
    return { ...payment, merchantId, paymentId, assignedAt: at, at, before: null, gatewayLatencyMs: null }
  }

  /** A final report: what it changed; undefined when the payment is in no experiment, and when nothing new was said. */
  report(merchantId: string, paymentId: string, { at, success, gateway, gatewayLatencyMs }: FinalReport): ExperimentEffect | undefined {
    const known = this.#open.get(paymentId)
    if (known === undefined || (known.standing === 'failed' && !success)) return undefined
    const standing = success ? 'succeeded' : 'failed'
    if (success) {
      this.#open.delete(paymentId)
      this.#succeeded.add(paymentId, { ...known, standing })
    } else this.#open.replace(paymentId, { ...known, standing })
    const { isStatic: _, at: assignedAt, ...payment } = known
    const cost = gateway === known.gateway ? {} : UNKNOWN_COST
    return { ...payment, ...cost, merchantId, paymentId, assignedAt, at, before: known.standing, standing, gatewayLatencyMs }
  }

  /** Nearly all merchants have no experiment, and no room for segments. */
  #shared(segment: ExperimentSegment): ExperimentSegment {
    this.#segments ??= new Interned(SHARED_SEGMENT_COUNT_MAX)
    return this.#segments.of(JSON.stringify(segment), () => segment)
  }
}
