import { ClockHand } from '../outcomes/clock-hand.ts'
import { compactKey, keySlot, windowKey } from '../scoring/dimension.ts'
import type { EliminationRules } from './elimination-rules.ts'
import { GatewayHealth, type HealthChange, type HealthKnobs } from './gateway-health.ts'

const CARD = 'CARD'
const ABSENT = 'UNKNOWN'

/** What of a payment its gateways are told up or down by (decide.md 7.3). */
export interface HealthPayment {
  readonly paymentType: string
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly cardType: string | null
}

/** Map key of the payments that share the health of their gateways; the type of the card counts for cards only. */
export const healthGroupKey = ({ paymentType, paymentMethodType, paymentMethod, cardType }: HealthPayment): string => {
  const methodType = paymentMethodType.toUpperCase()
  const card = methodType === CARD ? (cardType ?? ABSENT) : null
  return keySlot(paymentType) + keySlot(methodType) + keySlot(paymentMethod) + keySlot(card)
}

/** A candidate that is down. */
export interface DownGateway {
  readonly gateway: string
  /** Whether a payment may try it now. */
  readonly isProbeDue: boolean
}

/** Which gateways are asked about, by whom and when. */
export interface DownQuery {
  readonly payment: HealthPayment
  readonly gateways: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
  readonly rules: EliminationRules
}

/** One outcome. */
export interface HealthFeed {
  readonly key: string
  readonly kind: 'success' | 'failure' | 'correction'
  /** Epoch milliseconds. */
  readonly at: number
  readonly knobs: HealthKnobs
}

/** The answer while nothing is down. */
export const NOTHING_DOWN: readonly DownGateway[] = Object.freeze([])

const fedAt = ({ at }: GatewayHealth): number => at

/** Health of all gateways of a merchant, bounded by count. */
export class MerchantHealth {
  readonly #gateways: Map<string, GatewayHealth> = new Map()
  /** Not there until it is needed: most merchants never have so many. */
  #hand: ClockHand<GatewayHealth> | undefined
  readonly #countMax: number
  /** While it is zero, decisions look no further. */
  #outageCount = 0

  /** `passedCount` is that of a snapshot. */
  constructor(countMax: number, passedCount = 0) {
    this.#countMax = countMax
    if (passedCount > 0) this.#hand = new ClockHand(this.#gateways, fedAt, passedCount)
  }

  /** In the order of their creation. */
  entries(): IterableIterator<[string, GatewayHealth]> {
    return this.#gateways.entries()
  }

  get size(): number {
    return this.#gateways.size
  }

  /** How many entries it has passed in the order of their creation whoever forgets one when there is no room. */
  get passedCount(): number {
    return this.#hand?.passedCount ?? 0
  }

  get(key: string): GatewayHealth | undefined {
    return this.#gateways.get(key)
  }

  /** Puts back an entry of a snapshot. */
  restore(key: string, health: GatewayHealth): void {
    this.#gateways.set(compactKey(key), health)
    if (health.hasOutage) this.#outageCount++
  }

  /** Counts an outcome; answers whether the gateway went down or came back. */
  feed({ key, kind, at, knobs }: HealthFeed): HealthChange {
    let health = this.#gateways.get(key)
    if (health === undefined) {
      if (this.#gateways.size >= this.#countMax) this.#forgetOne()
      health = new GatewayHealth(at)
      this.#gateways.set(compactKey(key), health)
    }
    const change = kind === 'correction' ? health.correct(at, knobs) : health.feed(kind === 'success', at, knobs)
    if (change !== null) this.#outageCount += change === 'down' ? 1 : -1
    return change
  }

  /** Whether any gateway is down. */
  get hasOutage(): boolean {
    return this.#outageCount > 0
  }

  /** A payment was decided; `probedKey` is that of the gateway that it tries, or null. */
  pass(keys: readonly string[], at: number, probedKey: string | null): void {
    for (const key of keys) this.#gateways.get(key)?.pass(at, key === probedKey ? 'to-probe' : 'elsewhere')
  }

  /** The gateways that are down, in the order asked for. */
  downAmong({ payment, gateways, at, rules }: DownQuery): readonly DownGateway[] {
    if (this.#outageCount === 0) return NOTHING_DOWN
    const group = healthGroupKey(payment)
    const down: DownGateway[] = []
    for (const gateway of gateways) {
      const health = this.#gateways.get(windowKey(group, gateway))
      if (health?.isDown(at, rules.ageMsMax)) down.push({ gateway, isProbeDue: health.isProbeDue(at, rules) })
    }
    return down
  }

  /** A payment sets out to try a gateway. */
  reserveProbe(payment: HealthPayment, gateway: string, at: number): void {
    this.#gateways.get(windowKey(healthGroupKey(payment), gateway))?.reserveProbe(at)
  }

  #forgetOne(): void {
    this.#hand ??= new ClockHand(this.#gateways, fedAt)
    if (this.#hand.forget()?.[1].hasOutage === true) this.#outageCount--
  }
}
