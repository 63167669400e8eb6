export interface Entry {
  readonly gateway: string
  readonly isApproved: boolean
  readonly explored: boolean
  readonly scoreOf: Readonly<Record<string, number>> | null
}
export interface Ledger {
  readonly paymentCount: number
  readonly record: (index: number, entry: Entry) => void
  readonly gatewayOf: (index: number) => string | undefined
  readonly isApproved: (index: number) => boolean
  readonly isExplored: (index: number) => boolean
  readonly scoreOf: (index: number, gateway: string) => number
}
export const createLedger: (paymentCount: number) => Ledger
