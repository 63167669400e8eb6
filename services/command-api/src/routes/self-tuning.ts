import { parseBody, platformError, type Route, type RouteReply } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { autopilotEntryCount, featureFlags, successRateScoring } from '@switchyard/routing'
import * as z from 'zod'
import { undoneTuning } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import type { FeatureFlagRouteDependencies } from './feature-flags.ts'
import { positionHeaders } from './routing-replies.ts'

const undoBody = z.object({ merchant_id: z.string().min(1).max(ID_LENGTH_MAX) })

const REFUSED: Readonly<Record<'gone' | 'raced', RouteReply>> = {
  gone: platformError(404, 'TE_04', 'MerchantId not found'),
  raced: platformError(409, 'TE_04', 'The settings were changed by others at the same time; try again'),
}

/**
 * `POST /self-tuning/undo`: everything that the self-tuning wrote for a merchant goes, and the flag `autopilot` with it, so that the
 * next run does not bring it back. With `auto-calibration` it goes on saying what it would do. Repeating it changes nothing.
 */
export const undoTuningRoute = ({ handle, states, now }: FeatureFlagRouteDependencies): Route => ({
  spec: {
    method: 'POST',
    path: '/self-tuning/undo',
    access: 'protected',
    permission: 'routing:write',
    tenant: false,
    merchant: { in: 'body', name: 'merchant_id', whenUnknown: 'not-found' },
    body: 'json',
    hot: false,
  },
  api: {
    summary: 'Take back what the self-tuning wrote, and let it write no more',
    body: undoBody,
    answer: undoneTuning,
    refusals: { 409: 'Others changed it at the same time; try again' },
  },
  handle: async (request) => {
    const body = parseBody(undoBody, request.body)
    if (!body.ok) return body.reply
    const { merchant_id: merchantId } = body.value
    const origin = originOf(request)
    // The flag first: a run that is under way writes nothing any more.
    const flag = { type: 'DisableFeature', merchantId, feature: 'autopilot', at: now() } as const
    const disabled = await handle(featureFlags, { key: merchantId, command: flag, origin })
    if (!disabled.accepted) return disabled.rejection.code === 'CONFLICT' ? REFUSED.raced : REFUSED.gone
    const count = autopilotEntryCount(states.stateOf(successRateScoring, merchantId).settings)
    const drop = { type: 'DropAutopilotEntries', merchantId, at: now() } as const
    const dropped = await handle(successRateScoring, { key: merchantId, command: drop, origin })
    if (!dropped.accepted) return dropped.rejection.code === 'CONFLICT' ? REFUSED.raced : REFUSED.gone
    return {
      status: 200,
      body: { merchant_id: merchantId, removed_overrides: count, autopilot: false },
      headers: positionHeaders(dropped.position ?? disabled.position),
    }
  },
})
