import { type EndpointStatus, webhookEndpoints } from '@switchyard/webhooks'
import type { Parts } from '../parts.ts'

/** How many endpoints there are of each status, of all merchants. */
export interface EndpointTally {
  /** The endpoints of a merchant may be others than before. */
  readonly recount: (merchantId: string) => void
  readonly read: () => Readonly<Record<EndpointStatus, number>>
}

/** Nobody was counted yet. */
export const createEndpointTally = ({ states }: Pick<Parts, 'states'>): EndpointTally => {
  const counts: Record<EndpointStatus, number> = { active: 0, disabled_by_merchant: 0, disabled_by_failures: 0, disabled_gone: 0 }
  const counted = new Map<string, readonly EndpointStatus[]>()
  return {
    recount: (merchantId) => {
      const statuses = states.stateOf(webhookEndpoints, merchantId).endpoints.map(({ status }) => status)
      for (const status of counted.get(merchantId) ?? []) counts[status] -= 1
      for (const status of statuses) counts[status] += 1
      if (statuses.length === 0) counted.delete(merchantId)
      else counted.set(merchantId, statuses)
    },
    read: () => ({ ...counts }),
  }
}
