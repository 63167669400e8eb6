export interface Method {
  readonly key: string
  readonly label: string
  readonly weight: number
  readonly paymentMethodType: string
  readonly paymentMethod: string
}
export interface Phase {
  readonly name: string
  readonly from: number
  readonly to: number
}
export interface Payment {
  readonly index: number
  readonly method: Method
  readonly currency: { readonly name: string; readonly weight: number; readonly country: string }
  readonly network: string | null
  /** Major currency units. */
  readonly amount: number
  /** Approved at every gateway whose rate is above it. */
  readonly luck: number
  /** Share in [0, 1) of the longest delay of an outcome. */
  readonly delay: number
}
export interface Market {
  readonly seed: number
  readonly paymentCount: number
  readonly paymentAt: (index: number) => Payment
  readonly rateOf: (gateway: string, payment: Payment) => number
  readonly isApproved: (gateway: string, payment: Payment) => boolean
  /** Mean rate over currencies and networks: all that a router can learn that tells only methods apart. */
  readonly visibleRateOf: (gateway: string, methodKey: string, index: number) => number
}
export const GATEWAYS: readonly string[]
export const METHODS: readonly Method[]
export const PHASES: readonly Phase[]
export const OUTAGE: { readonly gateway: string; readonly phase: string; readonly rate: number }
export const IMPROVEMENT: { readonly gateway: string; readonly from: number; readonly to: number; readonly gain: number }
export const phaseOf: (index: number, paymentCount: number) => Phase
export const createMarket: (options: { readonly seed: number; readonly paymentCount: number }) => Market
