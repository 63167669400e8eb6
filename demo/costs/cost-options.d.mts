export interface CostOptions {
  readonly url: string | null
  readonly paymentCount: number
  readonly decisionCount: number
  readonly seed: number
  readonly out: string
  readonly isHelp: boolean
}
export const USAGE: string
export const parseCostOptions: (args: readonly string[]) => CostOptions
