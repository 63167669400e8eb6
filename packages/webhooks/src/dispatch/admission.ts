import type { DispatchLimits } from './dispatch-limits.ts'
import type { Delivery, EndpointQueue, Lane } from './endpoint-queue.ts'
import { createLine, type Line } from './line.ts'

interface Merchant<D extends Delivery> {
  underWay: number
  /** Endpoints that wait for one of the merchant's attempts to end. */
  readonly waiting: Line<EndpointQueue<D>>
}

/** Places for attempts in the process and of each merchant. */
export interface Admission<D extends Delivery> {
  /** The first of these lanes that may start in the process now. */
  readonly laneFor: (queue: EndpointQueue<D>, lanes: readonly Lane[]) => Lane | undefined
  readonly hasAnyPlace: () => boolean
  /** One that is not reserved. */
  readonly hasGeneralPlace: () => boolean
  readonly hasRetryPlace: () => boolean
  /** Whether the merchant has a place; if not, the endpoint now waits for one. */
  readonly hasMerchantPlace: (queue: EndpointQueue<D>) => boolean
  readonly began: (delivery: D) => void
  readonly ended: (delivery: D) => void
  /** An endpoint that waited for a place of this merchant and can have it, out of its line. */
  readonly nextOfMerchant: (merchantId: string) => EndpointQueue<D> | undefined
  readonly underWay: () => Readonly<Record<Lane, number>>
}

export const createAdmission = <D extends Delivery>(limits: DispatchLimits): Admission<D> => {
  const underWay = { new: 0, retry: 0 }
  const merchants = new Map<string, Merchant<D>>()
  const total = (): number => underWay.new + underWay.retry
  const hasAnyPlace = (): boolean => total() < limits.underWayMax
  const hasGeneralPlace = (): boolean => total() < limits.underWayMax - limits.reservedCount
  const hasRetryPlace = (): boolean => hasGeneralPlace() && underWay.retry < limits.retriesUnderWayMax
  const hasReservedPlace = (queue: EndpointQueue<D>): boolean => queue.underWay === 0 && hasAnyPlace()
  const mayStart = (queue: EndpointQueue<D>, lane: Lane): boolean =>
    lane === 'retry' ? hasRetryPlace() : hasGeneralPlace() || hasReservedPlace(queue)

  const merchantOf = (merchantId: string): Merchant<D> => {
    const known = merchants.get(merchantId)
    if (known !== undefined) return known
    const merchant = { underWay: 0, waiting: createLine<EndpointQueue<D>>() }
    merchants.set(merchantId, merchant)
    return merchant
  }

  return {
    laneFor: (queue, lanes) => lanes.find((lane) => mayStart(queue, lane)),
    hasAnyPlace,
    hasGeneralPlace,
    hasRetryPlace,
    hasMerchantPlace: (queue) => {
      const merchant = merchants.get(queue.merchantId)
      if (merchant === undefined || merchant.underWay < limits.underWayPerMerchantMax) return true
      merchant.waiting.join(queue)
      return false
    },
    began: ({ lane, merchantId }) => {
      underWay[lane] += 1
      merchantOf(merchantId).underWay += 1
    },
    ended: ({ lane, merchantId }) => {
      underWay[lane] -= 1
      const merchant = merchantOf(merchantId)
      merchant.underWay -= 1
      if (merchant.underWay === 0 && merchant.waiting.first() === undefined) merchants.delete(merchantId)
    },
    nextOfMerchant: (merchantId) => {
      const merchant = merchants.get(merchantId)
      const next = merchant?.waiting.first()
      if (merchant === undefined || next === undefined || merchant.underWay >= limits.underWayPerMerchantMax) return undefined
      merchant.waiting.leave(next)
      if (merchant.underWay === 0 && merchant.waiting.first() === undefined) merchants.delete(merchantId)
      return next
    },
    underWay: () => underWay,
  }
}
