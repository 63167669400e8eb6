import type { Market, Payment } from './market.mjs'

export interface ReferenceRouter {
  readonly name: string
  readonly choose: (payment: Payment) => string
}
export const referenceRouters: (market: Market) => readonly ReferenceRouter[]
