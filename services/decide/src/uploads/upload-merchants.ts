import { merchants } from '@switchyard/access'
import { type Identity, mayActFor } from '@switchyard/http'
import { isOperatingError } from '@switchyard/kernel'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { UPLOAD_MERCHANT_COUNT_MAX } from '../limits.ts'
import { isRegisteredMerchant } from '../registered-merchant.ts'
import { type LineResult, NOT_STORED, refused } from './upload-results.ts'

/** Whether the caller may report for a merchant: undefined when it may. The gate looks at one merchant a request, an upload may name many. */
export type RefuseMerchant = (merchantId: string) => Promise<LineResult | undefined>

const MERCHANT_NOT_FOUND = refused('MERCHANT_NOT_FOUND', 'merchantId: there is no such merchant')

/** What was found of a merchant, and which registration of its id that was; 0 when it is closed. */
interface Found {
  readonly refusal: LineResult | undefined
  readonly life: number
}

/** Nothing is known while the log is away. */
const AWAY: Found = { refusal: NOT_STORED, life: 0 }

/** {@link RefuseMerchant} of one upload, as it begins. Ownership first: what exists is no stranger's business. */
export const createRefuseMerchant = (
  { states, readPayments }: Pick<DecideServiceDependencies, 'states' | 'readPayments'>,
  identity: Identity,
  isKeyed: boolean,
): RefuseMerchant => {
  const known = new Map<string, Promise<Found>>()
  const lifeOf = (merchantId: string): number => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    return registered ? registrationCount : 0
  }
  const own = 'merchantId' in identity ? identity.merchantId : ''
  const ownLife = lifeOf(own)

  const look = async (merchantId: string): Promise<LineResult | undefined> => {
    if (!mayActFor(identity, merchantId)) return refused('MERCHANT_FOREIGN', 'merchantId: the credential does not belong to this merchant')
    if (!(await isRegisteredMerchant(states, merchantId))) return MERCHANT_NOT_FOUND
    // Only then the fold knows every line that was recorded under the key.
    if (isKeyed) await readPayments(merchantId)
    return undefined
  }

  const find = async (merchantId: string): Promise<Found> => {
    const refusal = await look(merchantId)
    return { refusal, life: merchantId === own ? ownLife : lifeOf(merchantId) }
  }

  return async (merchantId) => {
    const found = known.get(merchantId) ?? find(merchantId)
    if (known.size >= UPLOAD_MERCHANT_COUNT_MAX) known.clear()
    known.set(merchantId, found)
    const { refusal, life } = await found.catch((error: unknown): Found => {
      // Asked for again with the next lines: an upload may go on for long after the log is back.
      known.delete(merchantId)
      if (!isOperatingError(error)) throw error
      return AWAY
    })
    // An upload takes its time: meanwhile the merchant may have been closed, and its id be that of another one.
    return refusal ?? (lifeOf(merchantId) === life ? undefined : MERCHANT_NOT_FOUND)
  }
}
