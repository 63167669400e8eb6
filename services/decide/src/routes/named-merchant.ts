import { mayActFor, type RouteRequest } from '@switchyard/http'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { isRegisteredMerchant } from '../registered-merchant.ts'
import { type DecisionProblem, merchantForeign, merchantNotFound } from './decision-envelope.ts'

/** The gate's check of the merchant, for bodies that name it further down: existence first, then ownership. */
export const refuseMerchant = async (
  states: DecideServiceDependencies['states'],
  { identity }: RouteRequest,
  merchantId: string,
): Promise<DecisionProblem | undefined> => {
  if (!(await isRegisteredMerchant(states, merchantId))) return merchantNotFound(merchantId)
  return mayActFor(identity, merchantId) ? undefined : merchantForeign(merchantId)
}
