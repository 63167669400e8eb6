import type { EliminationKnobs } from '@switchyard/events'
import type { EliminationRules } from './elimination-rules.ts'

/** What of the settings outcomes are judged by; whether elimination was enabled for the decision means nothing to them. */
export type HealthKnobs = Omit<EliminationKnobs, 'enabled'>

/** Since when a gateway is down, and what was tried. Times are event time, epoch milliseconds. */
export interface Outage {
  readonly since: number
  probedAt: number
  /** Payments since the last probe that could have gone to the gateway. */
  paymentCount: number
  /** When a payment set out to try the gateway whose event the fold may not have seen; no part of what a snapshot keeps. */
  reservedAt: number
}

/** The complete state of a {@link GatewayHealth}: what a snapshot keeps. */
export interface GatewayHealthState {
  readonly weight: number
  readonly successWeight: number
  /** Event time of the newest outcome, epoch milliseconds. */
  readonly at: number
  readonly run: number
  readonly outage: Omit<Outage, 'reservedAt'> | null
}

const keptOf = (outage: Outage | null): GatewayHealthState['outage'] => {
  if (outage === null) return null
  const { since, probedAt, paymentCount } = outage
  return { since, probedAt, paymentCount }
}

/** What an outcome did to a gateway's standing; `forgotten`: it is up, because its outage was too old when the outcome came. */
export type HealthChange = 'down' | 'up' | 'forgotten' | null

/**
 * A probe waits for so many times as many payments after one that failed: few payments would fill a window with probes. One that
 * succeeded may well be the end of the outage. As two successes are followed by a third, which ends it, or by a failure, so many
 * payments as the setting says still go by for each probe in the long run.
 */
const WAIT_AFTER_FAILURE = 2
const WAIT_AFTER_SUCCESS = 0.5

/**
 * Whether a gateway is up (contract/README.md 2): a share of successes that decays with event time, and the last run of
 * equal outcomes. The share counts from a minimum of outcomes on, afresh with every change: while the gateway is down
 * only outcomes since then speak for it, and once it is back those of the outage no longer speak against it.
 */
export class GatewayHealth {
  #weight = 0
  #successWeight = 0
  #at: number
  /** Newest outcomes that are equal: above zero successes, below zero failures. */
  #run = 0
  #outage: Outage | null = null

  constructor(at: number) {
    this.#at = at
  }

  /** The health of a snapshot. */
  static restore({ weight, successWeight, at, run, outage }: GatewayHealthState): GatewayHealth {
    const health = new GatewayHealth(at)
    health.#weight = weight
    health.#successWeight = successWeight
    health.#run = run
    health.#outage = outage === null ? null : { ...outage, reservedAt: outage.probedAt }
    return health
  }

  /** What a snapshot keeps. */
  get state(): GatewayHealthState {
    return { weight: this.#weight, successWeight: this.#successWeight, at: this.#at, run: this.#run, outage: keptOf(this.#outage) }
  }

  /** Event time of the newest outcome, epoch milliseconds. */
  get at(): number {
    return this.#at
  }

  /** Newest equal outcomes in a row: above zero successes, below zero failures. */
  get run(): number {
    return this.#run
  }

  /** Whether the fold knows it as down, however long ago. */
  get hasOutage(): boolean {
    return this.#outage !== null
  }

  /** Whether it is down at this time. */
  isDown(at: number, ageMsMax: number): boolean {
    return this.#outage !== null && at - this.#at <= ageMsMax
  }

  /** Counts an outcome; answers whether the gateway went down or came back. */
  feed(success: boolean, at: number, knobs: HealthKnobs): HealthChange {
    const elapsedMs = Math.max(0, at - this.#at)
    const wasDown = this.#outage !== null
    const isForgotten = elapsedMs > knobs.ageMsMax
    if (isForgotten) this.#forget()
    const decay = 2 ** (-elapsedMs / Math.max(1, knobs.halfLifeMs))
    this.#weight = this.#weight * decay + 1
    this.#successWeight = this.#successWeight * decay + (success ? 1 : 0)
    this.#at = Math.max(this.#at, at)
    this.#run = success ? Math.max(0, this.#run) + 1 : Math.min(0, this.#run) - 1
    this.#judge(knobs)
    if (wasDown === (this.#outage !== null)) return null
    if (!wasDown) return 'down'
    return isForgotten ? 'forgotten' : 'up'
  }

  /** A counted failure turns out to be a success: it leaves, and the success counts. */
  correct(at: number, knobs: HealthKnobs): HealthChange {
    this.#weight = Math.max(this.#successWeight, this.#weight - 1)
    return this.feed(true, at, knobs)
  }

  /** A payment was decided that could have gone to the gateway; `probed` says whether it went there to try it. */
  pass(at: number, went: 'elsewhere' | 'to-probe'): void {
    if (this.#outage === null) return
    if (went === 'elsewhere') this.#outage.paymentCount++
    else {
      this.#outage.paymentCount = 0
      this.#outage.probedAt = Math.max(this.#outage.probedAt, at)
    }
  }

  /** Whether a payment may try the gateway now. */
  isProbeDue(at: number, { probeIntervalMs, probePaymentCount }: EliminationRules): boolean {
    if (this.#outage === null) return false
    const { probedAt, paymentCount, reservedAt } = this.#outage
    // One that is further ahead was made by a clock that has been set back since: nobody is to wait for it.
    const isFresh = [probedAt, reservedAt].some((time) => Math.abs(at - time) < probeIntervalMs)
    return !isFresh && paymentCount >= probePaymentCount * this.#probeWait(this.#outage)
  }

  /** A payment sets out to try the gateway: none follows it before the fold has seen its event. */
  reserveProbe(at: number): void {
    if (this.#outage !== null) this.#outage.reservedAt = at
  }

  #probeWait({ since, probedAt }: Outage): number {
    if (probedAt <= since) return 1
    return this.#run < 0 ? WAIT_AFTER_FAILURE : WAIT_AFTER_SUCCESS
  }

  #judge({ threshold, sampleCount, failureRunCount, recoveryRunCount }: HealthKnobs): void {
    const share = this.#weight >= sampleCount ? this.#successWeight / this.#weight : null
    if (this.#outage === null) {
      const isDown = this.#run <= -failureRunCount || (share !== null && share < threshold)
      if (isDown) this.#restart({ since: this.#at, probedAt: this.#at, paymentCount: 0, reservedAt: this.#at }, 0)
    } else if (this.#run >= recoveryRunCount || (share !== null && share > threshold)) this.#restart(null, Math.max(0, this.#run))
  }

  #forget(): void {
    this.#restart(null, 0)
    this.#run = 0
  }

  #restart(outage: Outage | null, successCount: number): void {
    this.#outage = outage
    this.#weight = successCount
    this.#successWeight = successCount
  }
}
