/** A price from an amount on: `bps` of the amount and a fixed part, major units. */
export interface Step {
  readonly from: number
  readonly bps: number
  readonly fixed: number
}
export interface Rate {
  readonly bps: number
  readonly fixed: number
}
export interface Tariff {
  /** Ascending; the first from 0. */
  readonly interchange: readonly Step[]
  readonly scheme: Rate
  readonly markup: Rate
}
export interface CardKind {
  readonly index: number
  readonly shape: 'linear' | 'capped' | 'tiered'
  readonly network: string
  readonly funding: string
  readonly country: { readonly alpha2: string; readonly alpha3: string; readonly currency: string }
  readonly currency: string
  readonly category: string
  /** Six digits. */
  readonly bin: string
  readonly amounts: { readonly from: number; readonly to: number }
  readonly interchange: readonly Step[]
  readonly scheme: Rate
}
export interface TrueCluster {
  readonly kind: CardKind
  /** Paid at a terminal. */
  readonly hasTerminal: boolean
  readonly tariff: Tariff
}
export interface Account {
  readonly connector: string
  readonly account: string
  readonly clusters: readonly TrueCluster[]
}
export interface AccountOptions {
  readonly seed: number
  readonly connector: string
  readonly account: string
  readonly kinds: readonly CardKind[]
  /** What the connector takes on average (default 30 bps and 0.10). */
  readonly markupBps?: number
  readonly markupFixed?: number
}
export const cardKinds: (options: { readonly seed: number; readonly count: number }) => readonly CardKind[]
export const createAccount: (options: AccountOptions) => Account
