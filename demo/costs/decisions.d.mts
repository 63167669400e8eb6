export interface RankedGateway {
  readonly psp: string
  readonly authRate: number
  readonly costBps: number
  readonly isSrHead: boolean
  readonly isChosen: boolean
}
export interface WeighedPayment {
  readonly payment: { readonly amount: number; readonly kind: { readonly currency: string } }
  readonly gateway: string
  readonly info: { readonly outcome: string; readonly costSavedBps: number | null; readonly ranked?: readonly RankedGateway[] }
}
export interface CurrencySavings {
  readonly count: number
  readonly amount: number
  readonly told: number
  readonly real: number
  readonly givenUp: number
}
export const savingsOf: (
  scene: { readonly trueCostBps: (gateway: string, payment: WeighedPayment['payment']) => number },
  weighed: readonly WeighedPayment[],
) => {
  readonly weighedCount: number
  readonly wonCount: number
  readonly byCurrency: ReadonlyMap<string, CurrencySavings>
  readonly medianErrorBps: number
  readonly pricedCount: number
}
