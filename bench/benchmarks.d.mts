export const BENCHMARKS: Readonly<Record<string, unknown>>
export const BROKER_NAMES: readonly string[]
export const SERVER_NAMES: readonly string[]
