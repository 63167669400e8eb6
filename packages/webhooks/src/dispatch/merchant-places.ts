import type { Delivery, EndpointQueue } from './endpoint-queue.ts'
import { createLine, type Line } from './line.ts'

/** Places for the attempts of each merchant, and its endpoints that wait for one. */
export interface MerchantPlaces<D extends Delivery> {
  /** Whether the merchant has a place; if not, the endpoint now waits for one. */
  readonly has: (queue: EndpointQueue<D>) => boolean
  readonly began: (merchantId: string) => void
  readonly ended: (merchantId: string) => void
  /** An endpoint that waited for a place of this merchant and can have it, out of its line. */
  readonly next: (merchantId: string) => EndpointQueue<D> | undefined
}

interface Merchant<D extends Delivery> {
  underWay: number
  readonly waiting: Line<EndpointQueue<D>>
}

export const createMerchantPlaces = <D extends Delivery>(underWayMax: number): MerchantPlaces<D> => {
  const merchants = new Map<string, Merchant<D>>()
  const forget = (merchantId: string, { underWay, waiting }: Merchant<D>): void => {
    if (underWay === 0 && waiting.first() === undefined) merchants.delete(merchantId)
  }

  return {
    has: (queue) => {
      const merchant = merchants.get(queue.merchantId)
      if (merchant === undefined || merchant.underWay < underWayMax) return true
      merchant.waiting.join(queue)
      return false
    },
    began: (merchantId) => {
      const merchant = merchants.get(merchantId) ?? { underWay: 0, waiting: createLine<EndpointQueue<D>>() }
      merchant.underWay += 1
      merchants.set(merchantId, merchant)
    },
    ended: (merchantId) => {
      const merchant = merchants.get(merchantId)
      if (merchant === undefined) return
      merchant.underWay -= 1
      forget(merchantId, merchant)
    },
    next: (merchantId) => {
      const merchant = merchants.get(merchantId)
      const next = merchant?.waiting.first()
      if (merchant === undefined || next === undefined || merchant.underWay >= underWayMax) return undefined
      merchant.waiting.leave(next)
      forget(merchantId, merchant)
      return next
    },
  }
}
