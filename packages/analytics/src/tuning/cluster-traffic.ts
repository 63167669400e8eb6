import type { GatewayDecided } from '@switchyard/events'
import type { DocumentKey, DocumentProjection } from '@switchyard/kernel'
import { addPeriod, endedBy, MINUTE_MS, merchantOf, minuteOf } from '../keys.ts'
import { TRAFFIC_CLUSTERS_PER_MINUTE_MAX, TRAFFIC_GATEWAYS_PER_CLUSTER_MAX } from '../limits.ts'
import { isNewBeginning, type OutcomeEffect, outcomesOf, type PaymentDimensions, type RecordedPayment } from '../recorded-payment.ts'

/** What the self-tuning tells payments apart by, as sent: never the card's first digits. */
export type TrafficCluster = Pick<PaymentDimensions, 'paymentMethodType' | 'paymentMethod' | 'cardNetwork' | 'country' | 'authType'> & {
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
  /** Decisions of groups that the minute had no room for. */
  readonly lostCount: number
}

const isBySuccessRate = ({ candidates, approach, rankingAlgorithm }: GatewayDecided['data']): boolean =>
  candidates.length > 1 && (approach.startsWith('SR_') || rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING')

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

const withGateway = (cluster: ClusterMinute, gateway: string, change: (known: GatewayTraffic) => GatewayTraffic): ClusterMinute => {
  const { gateways } = cluster
  const index = gateways.findIndex((known) => known.gateway === gateway)
  const known = gateways[index]
  if (known !== undefined) return { ...cluster, gateways: gateways.with(index, change(known)) }
  if (gateways.length >= TRAFFIC_GATEWAYS_PER_CLUSTER_MAX) return cluster
  return { ...cluster, gateways: [...gateways, change({ gateway, decidedCount: 0, approvedCount: 0, declinedCount: 0 })] }
}

const withDecision = (view: ClusterTrafficMinute, data: GatewayDecided['data']): ClusterTrafficMinute => {
  if (!isBySuccessRate(data)) return view
  const index = view.clusters.findIndex((cluster) => isSame(cluster, data))
  const known = view.clusters[index] ?? { ...clusterOf(data), paymentCount: 0, candidateCount: 0, gateways: [] }
  const counted = {
    ...known,
    paymentCount: known.paymentCount + 1,
    candidateCount: Math.max(known.candidateCount, data.candidates.length),
  }
  const next = withGateway(counted, data.gateway, (gateway) => ({ ...gateway, decidedCount: gateway.decidedCount + 1 }))
  if (index >= 0) return { ...view, clusters: view.clusters.with(index, next) }
  if (view.clusters.length < TRAFFIC_CLUSTERS_PER_MINUTE_MAX) return { ...view, clusters: [...view.clusters, next] }
  return { ...view, lostCount: view.lostCount + 1 }
}

const resolved = (known: GatewayTraffic, { disposition, success }: OutcomeEffect): GatewayTraffic => {
  if (disposition === 'corrected') {
    return { ...known, approvedCount: known.approvedCount + 1, declinedCount: Math.max(0, known.declinedCount - 1) }
  }
  return success === true ? { ...known, approvedCount: known.approvedCount + 1 } : { ...known, declinedCount: known.declinedCount + 1 }
}

/** An outcome that counts, with the payment that it is of. */
type CountedEffect = OutcomeEffect & { readonly payment: PaymentDimensions }

const isCounted = (effect: OutcomeEffect): effect is CountedEffect =>
  effect.payment !== null && (effect.disposition === 'counted' || effect.disposition === 'corrected')

/** Outcomes of groups that had no decision by success rates in the minute are of no interest to the self-tuning. */
const withOutcome = (view: ClusterTrafficMinute, effect: CountedEffect): ClusterTrafficMinute => {
  const index = view.clusters.findIndex((cluster) => isSame(cluster, effect.payment))
  const known = view.clusters[index]
  if (known === undefined) return view
  return {
    ...view,
    clusters: view.clusters.with(
      index,
      withGateway(known, effect.gateway, (gateway) => resolved(gateway, effect)),
    ),
  }
}

const emptyMinute = (merchantId: string, minuteMs: number): ClusterTrafficMinute => ({ merchantId, minuteMs, clusters: [], lostCount: 0 })

/**
 * Payments by the minute of their decision, group and gateway, with their outcomes: what the self-tuning works from, and what its
 * report compares (analytics.md 7.3). Changing a minute that is long past is what a late outcome does.
 */
export const clusterTraffic: DocumentProjection<ClusterTrafficMinute, RecordedPayment> = {
  name: 'cluster-traffic-v1',
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

  project: (view, record, key) => {
    const { event } = record
    const minute = Number(key[1])
    // What stands in this minute is of an earlier merchant of the id.
    if (isNewBeginning(event)) return emptyMinute(view.merchantId, minute)
    const isHere = (at: number): boolean => at >= minute && at < minute + MINUTE_MS
    let next = event.type === 'GatewayDecided' && isHere(event.data.at) ? withDecision(view, event.data) : view
    for (const effect of outcomesOf(record)) if (isCounted(effect) && isHere(effect.payment.decidedAt)) next = withOutcome(next, effect)
    return next
  },
}
