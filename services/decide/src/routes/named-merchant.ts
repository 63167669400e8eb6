import { mayActFor, type RouteRequest } from '@switchyard/http'
import { successRateScoring } from '@switchyard/routing'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { type DecisionProblem, merchantForeign, merchantNotFound } from './decision-envelope.ts'

/** The gate's check of the merchant, for bodies that name it further down: existence first, then ownership. */
export const refuseMerchant = async (
  states: DecideServiceDependencies['states'],
  { identity }: RouteRequest,
  merchantId: string,
): Promise<DecisionProblem | undefined> => {
  const isRegistered = (): boolean => states.stateOf(successRateScoring, merchantId).registered
  if (!isRegistered()) await states.readIndex(merchantId)
  if (!isRegistered()) return merchantNotFound(merchantId)
  return mayActFor(identity, merchantId) ? undefined : merchantForeign(merchantId)
}
