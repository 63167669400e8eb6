interface Market {
  readonly experiments: number
  readonly seed: number
  readonly baseRate: number
  readonly share: number
  readonly payments: number
}
interface Looked extends Market {
  readonly lookEvery: number
  readonly tunedSize: number
}

export function falsePositives(options: Looked): { readonly fixedRate: number; readonly sequentialRate: number }
export function falseStops(options: Looked & { readonly guardrailThresholdPp: number }): number
export function foundEffects(options: Market & { readonly effectPp: number }): {
  readonly foundRate: number
  readonly computedPower: number | null
}
export function paymentsUntilFound(options: Looked & { readonly effectPp: number }): {
  readonly foundRate: number
  readonly meanPayments: number | null
}
