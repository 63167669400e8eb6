import { successRateScoring } from '@switchyard/routing'
import type { DecideServiceDependencies } from './dependencies.ts'

/** Whether there is such a merchant; one that is not known is asked for at the end of the log. Rejects when the log is away. */
export const isRegisteredMerchant = async (
  { stateOf, readIndex }: DecideServiceDependencies['states'],
  merchantId: string,
): Promise<boolean> => {
  const isRegistered = (): boolean => stateOf(successRateScoring, merchantId).registered
  if (!isRegistered()) await readIndex(merchantId)
  return isRegistered()
}
