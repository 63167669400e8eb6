import type { Decisions, RoutingStats, Vocabulary } from '@switchyard/analytics'
import { freshnessAnswer } from './freshness-answer.ts'
import { seriesAnswer } from './score-answers.ts'

const PERCENT = 100

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Requests for a decision that failed, of all of them (analytics.md 2.3). */
const errorTile = ({ decisionCount, errorCount }: Decisions): object => {
  if (errorCount === null) {
    return { label: 'Error rate', value: '0.00%', subtitle: 'Failed requests have neither gateway nor label, so such a filter leaves none' }
  }
  const requests = decisionCount + errorCount
  const rate = requests === 0 ? 0 : errorCount / requests
  return { label: 'Error rate', value: `${(rate * PERCENT).toFixed(2)}%`, subtitle: `${errorCount} of ${plural(requests, 'request')}` }
}

/** Answer of the read of decisions (analytics.md 2.3). In `approaches`, `rule_name` is the label, as clients expect; `routing_approach` is extra. */
export const decisionsAnswer = (decisions: Decisions): object => ({
  merchant_id: decisions.merchantId,
  range: decisions.window.label,
  tiles: [
    { label: 'Decisions', value: String(decisions.decisionCount), subtitle: plural(decisions.errorCount ?? 0, 'failure') },
    errorTile(decisions),
  ],
  series: decisions.series.map(({ bucketMs, approach, count }) => ({ bucket_ms: bucketMs, routing_approach: approach, count })),
  approaches: decisions.approaches.map(({ approach, count }) => ({ rule_name: approach, routing_approach: approach, count })),
  bucket_width_ms: decisions.bucketMs,
  start_ms: decisions.window.startMs,
  end_ms: decisions.window.endMs,
  ...freshnessAnswer(decisions.freshness),
})

type Dimension = Vocabulary['dimensions'][number]['dimension']

const DIMENSION_WORDS: Readonly<Record<Dimension, { readonly key: string; readonly label: string }>> = {
  paymentMethodType: { key: 'payment_method_type', label: 'Payment Method Type' },
  paymentMethod: { key: 'payment_method', label: 'Payment Method' },
  cardNetwork: { key: 'card_network', label: 'Card Network' },
  cardIsIn: { key: 'card_is_in', label: 'Card ISIN' },
  currency: { key: 'currency', label: 'Currency' },
  country: { key: 'country', label: 'Country' },
  authType: { key: 'auth_type', label: 'Auth Type' },
}

/** Answer of the read of routing (analytics.md 2.4). */
export const routingStatsAnswer = (stats: RoutingStats): object => ({
  merchant_id: stats.merchantId,
  range: stats.window.label,
  gateway_share: stats.shares.map(({ bucketMs, gateway, count }) => ({ bucket_ms: bucketMs, gateway, count })),
  top_rules: stats.topRules.map(({ ruleName, count }) => ({ rule_name: ruleName, count })),
  sr_trend: seriesAnswer(stats.merchantId, stats.scores),
  available_filters: {
    dimensions: stats.vocabulary.dimensions.map(({ dimension, values }) => ({ ...DIMENSION_WORDS[dimension], values })),
    missing_dimensions: [],
    gateways: stats.vocabulary.gateways,
  },
  bucket_width_ms: stats.bucketMs,
  start_ms: stats.window.startMs,
  end_ms: stats.window.endMs,
  ...freshnessAnswer(stats.freshness),
})
