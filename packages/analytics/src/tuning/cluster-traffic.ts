import { type GatewayDecided, isBySuccessRate } from '@switchyard/events'
import { type DocumentKey, type DocumentProjection, type Draft, foldedInPlace } from '@switchyard/kernel'
import { addPeriod, endedBy, MINUTE_MS, merchantOf, minuteOf } from '../keys.ts'
import { TRAFFIC_CLUSTERS_PER_MINUTE_MAX, TRAFFIC_COARSE_PER_MINUTE_MAX, TRAFFIC_GATEWAYS_PER_CLUSTER_MAX } from '../limits.ts'
import {
  type DecidedPayment,
  isNewBeginning,
  type OutcomeEffect,
  outcomesOf,
  type PaymentDimensions,
  type RecordedPayment,
} from '../recorded-payment.ts'

/** What the self-tuning tells payments apart by, as sent: never the card's first digits. */
export type TrafficCluster = Pick<PaymentDimensions, 'paymentMethodType' | 'paymentMethod' | 'cardNetwork' | 'country' | 'authType'> & {
  /** Null, as the rest: of one method, without anything else that payments are told apart by. */
  readonly currency: string | null
}

/** What one gateway did with the payments of a group. */
export interface GatewayTraffic {
  readonly gateway: string
  /** Payments that were sent to it first. */
  readonly decidedCount: number
  /** Outcomes that counted; a decline that was corrected is an approval. */
  readonly approvedCount: number
  readonly declinedCount: number
}

/** Payments that are alike and were decided by success rates within one minute, and what became of them whenever it was reported. */
export interface ClusterMinute extends TrafficCluster {
  readonly paymentCount: number
  /** The most gateways that one of them could go to. */
  readonly candidateCount: number
  readonly gateways: readonly GatewayTraffic[]
}

/** One minute of a merchant as the self-tuning sees it. */
export interface ClusterTrafficMinute {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  readonly clusters: readonly ClusterMinute[]
  /** Decisions of methods that the minute had no room for. */
  readonly lostCount: number
}

const isSame = (a: TrafficCluster, b: TrafficCluster): boolean =>
  a.paymentMethod === b.paymentMethod &&
  a.paymentMethodType === b.paymentMethodType &&
  a.cardNetwork === b.cardNetwork &&
  a.currency === b.currency &&
  a.country === b.country &&
  a.authType === b.authType

const clusterOf = ({ paymentMethodType, paymentMethod, cardNetwork, currency, country, authType }: TrafficCluster): TrafficCluster => ({
  paymentMethodType,
  paymentMethod,
  cardNetwork,
  currency,
  country,
  authType,
})

/**
 * What the payments of a method share that have no group of their own. Every payment has a currency, so it is the group of none
 * that is told apart by more.
 */
const coarse = ({ paymentMethodType, paymentMethod }: TrafficCluster): TrafficCluster => ({
  paymentMethodType,
  paymentMethod,
  cardNetwork: null,
  currency: null,
  country: null,
  authType: null,
})

/** Whether it holds the payments of a method that have no group of their own. */
export const isCoarse = ({ currency }: TrafficCluster): boolean => currency === null

/** The group of payments that are alike, else that of their method. */
const knownIn = ({ clusters }: Draft<ClusterTrafficMinute>, cluster: TrafficCluster): Draft<ClusterMinute> | undefined => {
  const own = clusters.find((known) => isSame(known, cluster))
  if (own !== undefined || clusters.length < TRAFFIC_CLUSTERS_PER_MINUTE_MAX) return own
  const wider = coarse(cluster)
  return clusters.find((known) => isSame(known, wider))
}

/** What a group keeps of a gateway; undefined when it has no room for one more. */
const trafficIn = ({ gateways }: Draft<ClusterMinute>, gateway: string): Draft<GatewayTraffic> | undefined => {
  const known = gateways.find((traffic) => traffic.gateway === gateway)
  if (known !== undefined || gateways.length >= TRAFFIC_GATEWAYS_PER_CLUSTER_MAX) return known
  const added = { gateway, decidedCount: 0, approvedCount: 0, declinedCount: 0 }
  gateways.push(added)
  return added
}

/** The group that a payment belongs to: in a minute that is full that of its method; undefined without room for that either. */
const clusterIn = (view: Draft<ClusterTrafficMinute>, data: GatewayDecided['data']): Draft<ClusterMinute> | undefined => {
  const { clusters } = view
  const known = knownIn(view, data)
  if (known !== undefined || clusters.length >= TRAFFIC_CLUSTERS_PER_MINUTE_MAX + TRAFFIC_COARSE_PER_MINUTE_MAX) return known
  const group = clusters.length < TRAFFIC_CLUSTERS_PER_MINUTE_MAX ? clusterOf(data) : coarse(data)
  const added = { ...group, paymentCount: 0, candidateCount: 0, gateways: [] }
  clusters.push(added)
  return added
}

const addDecision = (view: Draft<ClusterTrafficMinute>, data: GatewayDecided['data']): void => {
  const cluster = clusterIn(view, data)
  if (cluster === undefined) {
    view.lostCount += 1
    return
  }
  cluster.paymentCount += 1
  cluster.candidateCount = Math.max(cluster.candidateCount, data.candidates.length)
  const traffic = trafficIn(cluster, data.gateway)
  if (traffic !== undefined) traffic.decidedCount += 1
}

const resolve = (traffic: Draft<GatewayTraffic>, { disposition, success }: OutcomeEffect): void => {
  if (disposition === 'corrected' || success === true) traffic.approvedCount += 1
  else traffic.declinedCount += 1
  if (disposition === 'corrected') traffic.declinedCount = Math.max(0, traffic.declinedCount - 1)
}

/** An outcome that counts, with the payment that success rates decided. */
type CountedEffect = OutcomeEffect & { readonly payment: DecidedPayment }

const isCounted = (effect: OutcomeEffect): effect is CountedEffect =>
  effect.payment?.bySuccessRate === true && (effect.disposition === 'counted' || effect.disposition === 'corrected')

/** Whether an outcome belongs here: groups that had no decision by success rates in the minute are of no interest to the self-tuning. */
const addOutcome = (view: Draft<ClusterTrafficMinute>, effect: CountedEffect): boolean => {
  const cluster = knownIn(view, effect.payment)
  if (cluster === undefined) return false
  const traffic = trafficIn(cluster, effect.gateway)
  if (traffic !== undefined) resolve(traffic, effect)
  return true
}

const emptyMinute = (merchantId: string, minuteMs: number): Draft<ClusterTrafficMinute> => ({
  merchantId,
  minuteMs,
  clusters: [],
  lostCount: 0,
})

/**
 * Payments by the minute of their decision, group and gateway, with their outcomes: what the self-tuning works from, and what its
 * report compares (analytics.md 7.3). Changing a minute that is long past is what a late outcome does.
 */
export const clusterTraffic: DocumentProjection<ClusterTrafficMinute, RecordedPayment> = foldedInPlace({
  name: 'cluster-traffic-v2',
  endedBy,

  keysOf: (record) => {
    const { event } = record
    const { merchantId, at } = event.data
    const keys: DocumentKey[] = []
    for (const effect of outcomesOf(record)) if (isCounted(effect)) addPeriod(keys, merchantId, minuteOf(effect.payment.decidedAt))
    if (isNewBeginning(event) || (event.type === 'GatewayDecided' && isBySuccessRate(event.data))) addPeriod(keys, merchantId, minuteOf(at))
    return keys
  },

  initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

  copyOf: (view) => ({
    ...view,
    clusters: view.clusters.map((cluster) => ({ ...cluster, gateways: cluster.gateways.map((traffic) => ({ ...traffic })) })),
  }),

  change: (draft, record, key) => {
    const { event } = record
    const minute = Number(key[1])
    // What stands in this minute is of an earlier merchant of the id.
    if (isNewBeginning(event)) return emptyMinute(draft.merchantId, minute)
    const isHere = (at: number): boolean => at >= minute && at < minute + MINUTE_MS
    let hasChanged = false
    if (event.type === 'GatewayDecided' && isBySuccessRate(event.data) && isHere(event.data.at)) {
      addDecision(draft, event.data)
      hasChanged = true
    }
    for (const effect of outcomesOf(record)) {
      if (isCounted(effect) && isHere(effect.payment.decidedAt) && addOutcome(draft, effect)) hasChanged = true
    }
    return hasChanged ? draft : undefined
  },
})
