import type { GatewayDecided } from '@switchyard/events'
import { AgingMap } from '../outcomes/aging-map.ts'
import type { Arm } from './experiment.ts'

type Decision = GatewayDecided['data']

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

/** A payment that counts in an experiment. */
export interface AssignedPayment {
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
  readonly gatewayLatencyMs: number | null
}

const assignedOf = (decision: Decision, earlier: AssignedPayment | undefined): AssignedPayment | undefined => {
  const { experiment, gateway, amount, at, paymentMethodType, paymentMethod, cardNetwork, currency, country } = decision
  if (experiment === null || experiment.exclusion !== null || experiment.arm === 'UNKNOWN') return undefined
  const { experimentId, arm } = experiment
  const isStatic = experiment.algorithmId !== null
  // A retry: the payment counts once, in the arm that it fell into first.
  if (earlier?.experimentId === experimentId) return { ...earlier, isStatic, gateway }
  const segment = { paymentMethodType, paymentMethod, cardNetwork, currency, country }
  return { experimentId, arm, isStatic, at, gateway, amount, segment, standing: 'open' }
}

/**
 * Payments of one merchant that count in experiments: attributes outcomes to arms, however late they come
 * (analytics.md 6.4 "Ours"). Bounded by count only; the payments that were decided longest ago go first.
 */
export class ExperimentPayments {
  readonly #payments: AgingMap<AssignedPayment>

  constructor(countMax: number) {
    this.#payments = new AgingMap({ countMax, ageMsMax: Number.POSITIVE_INFINITY })
  }

  get size(): number {
    return this.#payments.size
  }

  /** Oldest first. */
  entries(): IterableIterator<[string, AssignedPayment]> {
    return this.#payments.entries()
  }

  /** Puts back an entry of a snapshot. */
  restore(paymentId: string, payment: AssignedPayment): void {
    this.#payments.restore(paymentId, payment)
  }

  get(paymentId: string): AssignedPayment | undefined {
    return this.#payments.get(paymentId)
  }

  /** A decision: what it changed; undefined for one outside of experiments, and for a retry. */
  decide(decision: Decision): ExperimentEffect | undefined {
    if (decision.experiment === null) return undefined
    const { merchantId, paymentId } = decision
    const earlier = this.#payments.get(paymentId)
    const assigned = assignedOf(decision, earlier)
    if (assigned === undefined) return undefined
    this.#payments.add(paymentId, assigned)
    if (earlier?.experimentId === assigned.experimentId) return undefined
    const { isStatic: _, at, ...payment } = assigned
    return { ...payment, merchantId, paymentId, assignedAt: at, at, before: null, gatewayLatencyMs: null }
  }

  /** A final report: what it changed; undefined when the payment is in no experiment, and when nothing new was said. */
  report(merchantId: string, paymentId: string, { at, success, gatewayLatencyMs }: FinalReport): ExperimentEffect | undefined {
    const known = this.#payments.get(paymentId)
    if (known === undefined || known.standing === 'succeeded' || (known.standing === 'failed' && !success)) return undefined
    const standing = success ? 'succeeded' : 'failed'
    this.#payments.replace(paymentId, { ...known, standing })
    const { isStatic: _, at: assignedAt, ...payment } = known
    return { ...payment, merchantId, paymentId, assignedAt, at, before: known.standing, standing, gatewayLatencyMs }
  }
}
