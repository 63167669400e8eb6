import { parseBody, platformError, type Route, type RouteReply, wrongShape } from '@switchyard/http'
import { ID_LENGTH_MAX, isOperatingError, type NewId, type Now } from '@switchyard/kernel'
import { algorithmById, BUCKET_SIZE_MAX, DIMENSION_FIELDS, routingAlgorithms, type StoredAlgorithm } from '@switchyard/routing'
import type { StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { backTestFailureLine, backTestProgressLine, backTestResultLine } from '../back-test/back-test-answer.ts'
import type { LookAtBackTest } from '../back-test/back-tests.ts'
import type { AskedChanges, BackTestOrder } from '../back-test/run-back-test.ts'
import { BACK_TEST_DECISIONS_DEFAULT, BACK_TEST_DECISIONS_MAX, BACK_TEST_SPAN_MS_MAX, BACK_TESTS_IN_FLIGHT_MAX } from '../limits.ts'
import { readSpec } from './analytics.ts'
import { rangeSchema, spanOf } from './asked-range.ts'
import { merchantOf } from './merchant-reads.ts'
import { backTestLine } from './simulation-schemas.ts'
import { createStreamedRuns } from './streamed-runs.ts'

/** What the route works with. */
export interface BackTestRouteDeps {
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  readonly lookAtBackTest: LookAtBackTest
  readonly historySinceOf: (merchantId: string) => number
  readonly now: Now
  readonly newId: NewId
}

/** The name of routing by success rates where an algorithm can be named. */
const SUCCESS_RATES = 'sr_routing'

/** Earnings of an approved payment are a share of its amount; far above all of it nothing is weighed any more. */
const MARGIN_MAX = 100

const changesSchema = z.strictObject({
  bucket_size: z.number().int().min(1).max(BUCKET_SIZE_MAX).optional(),
  hedging_percent: z.number().min(0).max(100).optional(),
  latency_threshold_secs: z.number().min(0).max(86_400).optional(),
  adaptive_windows: z.boolean().optional(),
  elimination_enabled: z.boolean().optional(),
  elimination_threshold: z.number().min(0).max(1).optional(),
  dimensions: z.array(z.enum(DIMENSION_FIELDS)).max(DIMENSION_FIELDS.length).optional(),
  routing_algorithm_id: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  multi_objective: z.boolean().optional(),
  margin: z.number().positive().max(MARGIN_MAX).optional(),
})

const requestSchema = z.object({
  changes: changesSchema.refine((changes) => Object.keys(changes).length > 0, 'name at least one setting'),
  range: rangeSchema
    .refine((range) => typeof range === 'string' || range.end_ms - range.start_ms <= BACK_TEST_SPAN_MS_MAX, 'must be 30 days at most')
    .optional(),
  limit: z.number().int().min(1).max(BACK_TEST_DECISIONS_MAX).optional(),
})

type BackTestRequest = z.infer<typeof requestSchema>

const changesOf = ({ changes }: BackTestRequest, algorithm: StoredAlgorithm | undefined): AskedChanges => ({
  bucketSize: changes.bucket_size,
  hedgingPercent: changes.hedging_percent,
  latencyThresholdMs: changes.latency_threshold_secs === undefined ? undefined : Math.round(changes.latency_threshold_secs * 1_000),
  adaptive: changes.adaptive_windows,
  elimination: changes.elimination_enabled,
  eliminationThreshold: changes.elimination_threshold,
  dimensions: changes.dimensions,
  multiObjective: changes.multi_objective,
  margin: changes.margin,
  algorithm,
})

/** The algorithm that is named, or why it can't be used. */
const algorithmOf = async (
  { states }: BackTestRouteDeps,
  merchantId: string,
  { changes: { routing_algorithm_id: id } }: BackTestRequest,
): Promise<StoredAlgorithm | RouteReply | undefined> => {
  if (id === undefined || id === SUCCESS_RATES) return undefined
  await states.readIndex(merchantId)
  const algorithm = algorithmById(states.stateOf(routingAlgorithms, merchantId), id)
  if (algorithm === undefined) return platformError(400, 'TE_04', `Routing algorithm not found for the provided id : ${id}`)
  return algorithm.kind === 'AB_TEST' ? wrongShape('changes.routing_algorithm_id', 'is an experiment; test one of its arms') : algorithm
}

/** Lines of a back-test: progress, then the result, or why it could not go on. What was begun is let go of in any case. */
const linesOf = async function* ({ lookAtBackTest, newId }: BackTestRouteDeps, order: BackTestOrder): AsyncGenerator<string> {
  const id = newId()
  try {
    let progress = await lookAtBackTest({ id, order })
    while (progress.result === null) {
      yield backTestProgressLine(progress)
      progress = await lookAtBackTest({ id })
    }
    yield backTestProgressLine(progress)
    yield backTestResultLine(progress.result, order)
  } catch (error) {
    if (!isOperatingError(error)) throw error
    yield backTestFailureLine('Recorded payments can not be read at the moment; please send it again later')
  } finally {
    await lookAtBackTest({ id, end: true }).catch(() => undefined)
  }
}

/**
 * `POST /analytics/back-test`: what other settings would have made of the approvals and costs of recorded payments, estimated from the
 * recorded probabilities of each choice. Lines of progress, then the result; nothing is recorded.
 */
export const backTestRoute = (deps: BackTestRouteDeps): Route => {
  const streamed = createStreamedRuns('back-tests', BACK_TESTS_IN_FLIGHT_MAX)

  return {
    spec: { ...readSpec('/analytics/back-test'), method: 'POST', body: 'json' },
    api: {
      summary: 'What other settings would have made of recorded payments',
      body: requestSchema,
      answer: backTestLine,
      media: 'application/x-ndjson',
    },
    handle: async (request) => {
      const merchantId = merchantOf(request.identity)
      if (merchantId === undefined) return platformError(401, 'TE_03', 'Analytics access requires JWT or API key authentication')
      const body = parseBody(requestSchema, request.body)
      if (!body.ok) return body.reply
      const algorithm = await algorithmOf(deps, merchantId, body.value)
      if (algorithm !== undefined && 'status' in algorithm) return algorithm
      const historySince = deps.historySinceOf(merchantId)
      const { startMs, endMs } = spanOf(body.value.range, deps.now(), historySince)
      const order: BackTestOrder = {
        merchantId,
        changes: changesOf(body.value, algorithm),
        startMs,
        endMs: Math.max(endMs, startMs + 1),
        decisionCountMax: body.value.limit ?? BACK_TEST_DECISIONS_DEFAULT,
        historySince,
      }
      return streamed(linesOf(deps, order))
    },
  }
}
