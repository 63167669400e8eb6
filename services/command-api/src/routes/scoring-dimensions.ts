import { parseBody, platformError, type Route, type RouteReply, type RouteSpec } from '@switchyard/http'
import { assertNever, type Now } from '@switchyard/kernel'
import { DIMENSION_FIELDS, type ScoringDimensionsRejection, scoringDimensions } from '@switchyard/routing'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { scoringDimensionsAnswer } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { positionHeaders } from './routing-replies.ts'

/** What the routes of scoring dimensions need. */
export interface ScoringDimensionsRouteDependencies {
  readonly handle: HandleCommand
  readonly states: StreamStates
  readonly now: Now
}

/** Lists longer than any choice are not even read. */
const LIST_LENGTH_MAX = 100
const FIELD_LENGTH_MAX = 255

const requestSchema = z
  .object({
    merchant_id: z.string(),
    paymentInfo: z.object({
      udfs: z.array(z.int32()).max(LIST_LENGTH_MAX),
      fields: z.array(z.string().max(FIELD_LENGTH_MAX)).max(LIST_LENGTH_MAX).nullish(),
    }),
  })
  .transform(({ merchant_id, paymentInfo: { udfs, fields } }) => ({ merchantId: merchant_id, udfs, fields: fields ?? null }))

const UPDATED = 'SR Dimension configuration updated successfully'

const spec: Omit<RouteSpec, 'method' | 'path' | 'permission' | 'merchant' | 'body'> = { access: 'protected', tenant: false, hot: false }

const refusal = (rejection: ScoringDimensionsRejection | { readonly code: 'CONFLICT' }): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, 'TE_04', 'MerchantId not found')
    case 'DIMENSIONS_UNKNOWN': {
      const valid = DIMENSION_FIELDS.join(', ')
      return platformError(400, 'TE_04', `Invalid dimensions: ${JSON.stringify(rejection.names)}. Valid dimensions are: ${valid}`)
    }
    case 'SETTING_OUT_OF_RANGE':
      return platformError(400, 'TE_04', `Invalid SR Dimension configuration: ${rejection.field} must be ${rejection.expected}`)
    case 'CONFLICT':
      return platformError(409, 'TE_04', 'The dimensions were changed by others at the same time; try again')
    default:
      return assertNever(rejection)
  }
}

const chooseRoute = ({ handle, now }: ScoringDimensionsRouteDependencies): Route => ({
  spec: {
    ...spec,
    method: 'POST',
    path: '/config-sr-dimension',
    permission: 'routing:write',
    merchant: { in: 'body', name: 'merchant_id', whenUnknown: 'not-found' },
    body: 'json',
  },
  api: {
    summary: 'Choose what tells success-rate windows apart',
    body: requestSchema,
    answer: z.literal(UPDATED),
    refusals: { 409: 'Others changed it at the same time; try again' },
  },
  handle: async (request) => {
    const body = parseBody(requestSchema, request.body)
    if (!body.ok) return body.reply
    const { merchantId } = body.value
    const outcome = await handle(scoringDimensions, {
      key: merchantId,
      command: { type: 'ChooseScoringDimensions', ...body.value, at: now() },
      origin: originOf(request),
    })
    if (!outcome.accepted) return refusal(outcome.rejection)
    // The merchant may have been closed in between; then nothing was chosen.
    if (!outcome.state.registered) return refusal({ code: 'MERCHANT_NOT_FOUND', merchantId })
    return { status: 200, body: UPDATED, headers: positionHeaders(outcome.position) }
  },
})

const readRoute = ({ states }: ScoringDimensionsRouteDependencies): Route => ({
  spec: {
    ...spec,
    method: 'GET',
    path: '/config-sr-dimension/:merchantId',
    permission: 'routing:read',
    merchant: { in: 'path', name: 'merchantId', whenUnknown: 'allowed' },
    body: 'none',
  },
  api: { summary: 'What tells success-rate windows apart', answer: scoringDimensionsAnswer },
  handle: async ({ params }) => {
    const merchantId = params['merchantId'] ?? ''
    await states.readIndex(merchantId)
    const { chosen } = states.stateOf(scoringDimensions, merchantId)
    return { status: 200, body: { merchant_id: merchantId, paymentInfo: { udfs: chosen?.udfs ?? [], fields: chosen?.fields ?? null } } }
  },
})

/** `/config-sr-dimension` (platform.md 8.5): what tells success-rate windows apart. */
export const scoringDimensionsRoutes = (deps: ScoringDimensionsRouteDependencies): readonly Route[] => [chooseRoute(deps), readRoute(deps)]
