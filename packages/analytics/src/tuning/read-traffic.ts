import type { ReadStore } from '@switchyard/kernel'
import { keyPart, MINUTE_MS, minuteOf } from '../keys.ts'
import { TRAFFIC_MINUTES_PAGE_DOCUMENTS, TRAFFIC_MINUTES_SCANNED_MAX } from '../limits.ts'
import { scan } from '../queries/scan.ts'
import {
  type ClusterMinute,
  type ClusterTrafficMinute,
  clusterTraffic,
  type GatewayTraffic,
  isCoarse,
  type TrafficCluster,
} from './cluster-traffic.ts'

/** Dimensions that groups may be told apart by, beside the payment method. */
export type TunedDimension = 'cardNetwork' | 'currency' | 'country' | 'authType'

/** Which traffic is meant, in epoch milliseconds; `endMs` is not included. */
export interface TrafficQuery {
  readonly startMs: number
  readonly endMs: number
  /** Groups are told apart by these, the others are null. */
  readonly dimensions: readonly TunedDimension[]
}

/** A group over the whole time asked for. */
export interface SummedTraffic extends TrafficCluster {
  readonly paymentCount: number
  /** Gateways that its payments went to, or the most that one of them could go to if that is more. */
  readonly gatewayCount: number
  readonly gateways: readonly GatewayTraffic[]
}

const visitMinutes = (
  store: ReadStore,
  merchantId: string,
  span: { readonly startMs: number; readonly endMs: number },
  visit: (minute: ClusterTrafficMinute) => void,
): Promise<'complete' | 'truncated'> =>
  scan<ClusterTrafficMinute>(
    store,
    {
      collection: clusterTraffic.name,
      prefix: [keyPart(merchantId)],
      from: minuteOf(span.startMs),
      to: minuteOf(span.endMs - 1),
      order: 'descending',
      documentsMax: TRAFFIC_MINUTES_SCANNED_MAX,
      pageDocuments: TRAFFIC_MINUTES_PAGE_DOCUMENTS,
    },
    ({ body }) => body.minuteMs,
    ({ body }) => visit(body),
  )

const narrowed = (cluster: ClusterMinute, dimensions: readonly TunedDimension[]): TrafficCluster => {
  const kept = (name: TunedDimension): string | null => (dimensions.includes(name) ? cluster[name] || null : null)
  return {
    paymentMethodType: cluster.paymentMethodType,
    paymentMethod: cluster.paymentMethod,
    cardNetwork: kept('cardNetwork'),
    currency: kept('currency'),
    country: kept('country'),
    authType: kept('authType'),
  }
}

interface Sum extends TrafficCluster {
  paymentCount: number
  candidateCount: number
  readonly gateways: Map<string, GatewayTraffic>
}

const addTo = (sum: Sum, cluster: ClusterMinute): void => {
  sum.paymentCount += cluster.paymentCount
  sum.candidateCount = Math.max(sum.candidateCount, cluster.candidateCount)
  for (const one of cluster.gateways) {
    const known = sum.gateways.get(one.gateway)
    sum.gateways.set(one.gateway, {
      gateway: one.gateway,
      decidedCount: (known?.decidedCount ?? 0) + one.decidedCount,
      approvedCount: (known?.approvedCount ?? 0) + one.approvedCount,
      declinedCount: (known?.declinedCount ?? 0) + one.declinedCount,
    })
  }
}

/** What the merchant's payments did, by group (analytics.md 7.3); payments without a method are left out. */
export const readClusterTraffic = async (
  store: ReadStore,
  merchantId: string,
  { dimensions, ...span }: TrafficQuery,
): Promise<readonly SummedTraffic[]> => {
  const sums = new Map<string, Sum>()
  await visitMinutes(store, merchantId, span, ({ clusters }) => {
    for (const cluster of clusters) {
      if (cluster.paymentMethodType === '' || cluster.paymentMethod === '') continue
      // Of what they are to be told apart by nothing is known.
      if (dimensions.length > 0 && isCoarse(cluster)) continue
      const group = narrowed(cluster, dimensions)
      const key = JSON.stringify(Object.values(group))
      const sum = sums.get(key) ?? { ...group, paymentCount: 0, candidateCount: 0, gateways: new Map() }
      sums.set(key, sum)
      addTo(sum, cluster)
    }
  })
  return [...sums.values()].map(({ candidateCount, gateways, ...sum }) => ({
    ...sum,
    gatewayCount: Math.max(candidateCount, gateways.size),
    gateways: [...gateways.values()],
  }))
}

/** A group and two times side by side: from `fromMs` to `atMs`, and on to `toMs`; epoch milliseconds, whole minutes count. */
export interface ComparedSpan {
  readonly cluster: TrafficCluster
  readonly fromMs: number
  readonly atMs: number
  readonly toMs: number
}

/** Payments of a group within a time, and how many outcomes of them were approvals. */
export interface ApprovalCounts {
  readonly paymentCount: number
  readonly approvedCount: number
  readonly outcomeCount: number
}

/** Before and behind a moment. */
export interface Comparison {
  readonly before: ApprovalCounts
  readonly after: ApprovalCounts
}

const NOTHING: ApprovalCounts = { paymentCount: 0, approvedCount: 0, outcomeCount: 0 }

const DIMENSIONS = ['cardNetwork', 'currency', 'country', 'authType'] as const

const isWithin = (cluster: ClusterMinute, wanted: TrafficCluster): boolean =>
  cluster.paymentMethodType === wanted.paymentMethodType &&
  cluster.paymentMethod === wanted.paymentMethod &&
  DIMENSIONS.every((name) => wanted[name] === null || cluster[name] === wanted[name])

const plus = (counts: ApprovalCounts, { paymentCount, gateways }: ClusterMinute): ApprovalCounts => {
  const approvedCount = gateways.reduce((sum, one) => sum + one.approvedCount, 0)
  const declinedCount = gateways.reduce((sum, one) => sum + one.declinedCount, 0)
  return {
    paymentCount: counts.paymentCount + paymentCount,
    approvedCount: counts.approvedCount + approvedCount,
    outcomeCount: counts.outcomeCount + approvedCount + declinedCount,
  }
}

/** The part of a span that a minute lies in; the minute of the moment itself is in neither. */
const sideOf = ({ fromMs, atMs, toMs }: ComparedSpan, minuteMs: number): 'before' | 'after' | undefined => {
  const endMs = minuteMs + MINUTE_MS
  if (minuteMs >= fromMs && endMs <= atMs) return 'before'
  return minuteMs >= atMs && endMs <= toMs ? 'after' : undefined
}

/** What approvals did around each moment, in the order asked; spans of the same moment are read once. */
export const readComparisons = async (
  store: ReadStore,
  merchantId: string,
  spans: readonly ComparedSpan[],
): Promise<readonly Comparison[]> => {
  const found: Comparison[] = spans.map(() => ({ before: NOTHING, after: NOTHING }))
  for (const atMs of new Set(spans.map((span) => span.atMs))) {
    const here = spans.flatMap((span, index) => (span.atMs === atMs ? [{ span, index }] : []))
    const startMs = Math.min(...here.map(({ span }) => span.fromMs))
    const endMs = Math.max(...here.map(({ span }) => span.toMs))
    await visitMinutes(store, merchantId, { startMs, endMs }, ({ minuteMs, clusters }) => {
      for (const { span, index } of here) {
        const side = sideOf(span, minuteMs)
        const known = found[index]
        if (side === undefined || known === undefined) continue
        const counts = clusters.filter((cluster) => isWithin(cluster, span.cluster)).reduce(plus, known[side])
        found[index] = { ...known, [side]: counts }
      }
    })
  }
  return found
}
