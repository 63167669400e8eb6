import { isOperatingError, type OutboundOutcome } from '@switchyard/kernel'
import { type Endpoint, endpointHealth, isBeyondHope, isDelivered, isGone, webhookEndpoints } from '@switchyard/webhooks'
import { SCHEDULE } from '../journal.ts'
import { currentEndpoint, type Parts } from '../parts.ts'

/** An attempt has ended, at `at`. */
export interface Attempted {
  readonly merchantId: string
  /** As it was configured when the attempt began. */
  readonly endpoint: Endpoint
  readonly outcome: OutboundOutcome
  readonly at: number
}

const changeEndpoint = async (parts: Parts, { merchantId, endpoint: asked, outcome, at }: Attempted): Promise<void> => {
  const { profileId, url, activeSince } = asked
  const endpoint = currentEndpoint(parts, merchantId, profileId)
  // What an earlier address answered, or this one before it was enabled, says nothing about the endpoint as it is now.
  if (endpoint === undefined || endpoint.url !== url || endpoint.activeSince !== activeSince) return
  const command = { merchantId, profileId, at }
  const change = async (type: 'DISABLE' | 'ENABLE', reason: 'GONE' | 'FAILURES'): Promise<void> => {
    const decided =
      type === 'ENABLE' ? ({ ...command, type: 'EnableEndpoint' } as const) : ({ ...command, type: 'DisableEndpoint', reason } as const)
    const changed = await parts.handle(webhookEndpoints, { key: merchantId, command: decided, origin: SCHEDULE })
    // Of many attempts that end alike one changes it.
    if (!changed.accepted || changed.position === undefined) return
    parts.report.info(`webhook endpoint of ${merchantId}, profile ${profileId}: ${type === 'ENABLE' ? 'enabled' : `disabled (${reason})`}`)
  }
  if (isDelivered(outcome)) {
    if (endpoint.status === 'disabled_by_failures' || endpoint.status === 'disabled_gone') await change('ENABLE', 'GONE')
    return
  }
  if (endpoint.status !== 'active') return
  if (isGone(outcome)) return await change('DISABLE', 'GONE')
  const health = await parts.journal.view(endpointHealth, [merchantId, profileId])
  if (isBeyondHope(health, endpoint.activeSince, at)) await change('DISABLE', 'FAILURES')
}

/**
 * An endpoint that is gone, or has failed too long, gets nothing any more; one that the system had disabled is back after a success. The
 * attempt has been made and recorded, whatever becomes of that: the next one draws the same consequences.
 */
export const drawConsequences = async (parts: Parts, attempted: Attempted): Promise<void> => {
  try {
    await changeEndpoint(parts, attempted)
  } catch (error) {
    if (!isOperatingError(error)) throw error
    const { merchantId, endpoint } = attempted
    parts.report.failed(
      `webhook endpoint of ${merchantId}, profile ${endpoint.profileId}: it could not be changed by what it answered`,
      error,
    )
  }
}
