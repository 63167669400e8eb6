import { UPLOADS_IN_FLIGHT_MAX, UPLOADS_PER_MERCHANT_MAX } from '../limits.ts'

/** Places for uploads, of the process and of each merchant. */
export interface UploadPlaces {
  /** Undefined: the uploads of the operator, who may have all places. */
  readonly isFree: (merchantId: string | undefined) => boolean
  /** Takes a place; what it answers gives it back, once. */
  readonly take: (merchantId: string | undefined) => () => void
}

/** All places free. */
export const createUploadPlaces = (): UploadPlaces => {
  const taken = new Map<string, number>()
  let count = 0
  const takenBy = (merchantId: string | undefined): number => (merchantId === undefined ? 0 : (taken.get(merchantId) ?? 0))
  const change = (merchantId: string | undefined, by: 1 | -1): void => {
    count += by
    if (merchantId === undefined) return
    const own = takenBy(merchantId) + by
    if (own === 0) taken.delete(merchantId)
    else taken.set(merchantId, own)
  }
  return {
    isFree: (merchantId) => count < UPLOADS_IN_FLIGHT_MAX && takenBy(merchantId) < UPLOADS_PER_MERCHANT_MAX,
    take: (merchantId) => {
      change(merchantId, 1)
      return () => change(merchantId, -1)
    },
  }
}
