export interface DemoOptions {
  readonly url: string | null
  readonly paymentCount: number
  readonly seed: number
  readonly concurrency: number
  readonly out: string
  readonly isHelp: boolean
}
export const USAGE: string
export const parseOptions: (args: readonly string[]) => DemoOptions
