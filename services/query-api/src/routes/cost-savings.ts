import { type Route } from '@switchyard/http'
import * as z from 'zod'
import type { ReadSavings, SavingsAnswer } from '../savings/read-savings.ts'
import { readSpec } from './analytics.ts'
import { parseScoreQuery } from './analytics-query.ts'
import { freshness, scoreQueryParameters } from './answer-schemas.ts'
import { freshnessAnswer } from './freshness-answer.ts'
import { answerRead } from './merchant-reads.ts'

/** What the read of savings needs. */
export interface CostSavingsRouteDeps {
  readonly readSavings: ReadSavings
  readonly historySinceOf: (merchantId: string) => number
}

const text = z.string()
const count = z.number().int()
const answer = z.object({
  merchant_id: text,
  range: text,
  currency: text.nullable(),
  available_currencies: z.array(z.object({ currency: text, decision_count: count })),
  trend: z.array(z.object({ bucket_ms: count, saved_value: z.number() })),
  totals: z.object({
    saved_value: z.number(),
    cost_won_count: count,
    total_decisions: count,
    realised_value: z.number(),
    auth_value_given_up: z.number(),
    net_value: z.number(),
  }),
  bucket_width_ms: count,
  start_ms: count,
  end_ms: count,
  ...freshness,
})

const print = ({ merchantId, window, bucketMs, savings, freshness: reach }: SavingsAnswer): object => ({
  merchant_id: merchantId,
  range: window.label,
  currency: savings.currency,
  available_currencies: savings.availableCurrencies.map(({ currency, decisionCount }) => ({ currency, decision_count: decisionCount })),
  trend: savings.trend.map((point) => ({ bucket_ms: point.bucketMs, saved_value: point.savedValue })),
  totals: {
    saved_value: savings.savedValue,
    cost_won_count: savings.costWonCount,
    total_decisions: savings.totalDecisions,
    realised_value: savings.realisedValue,
    auth_value_given_up: savings.authValueGivenUp,
    net_value: savings.savedValue - savings.authValueGivenUp,
  },
  bucket_width_ms: bucketMs,
  start_ms: window.startMs,
  end_ms: window.endMs,
  ...freshnessAnswer(reach),
})

/** `GET /analytics/cost-savings` (cost.md 16): expected and realised savings, and what approvals were given up for them. */
export const costSavingsRoute = ({ readSavings, historySinceOf }: CostSavingsRouteDeps): Route => ({
  spec: readSpec('/analytics/cost-savings'),
  api: { summary: 'What weighing cost has saved', query: scoreQueryParameters, answer },
  handle: (request) =>
    answerRead(request, async (merchantId) => ({
      status: 200,
      body: print(await readSavings(merchantId, parseScoreQuery(request.query, historySinceOf(merchantId)))),
    })),
})
