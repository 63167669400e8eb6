export type Draw = () => number
export const drawsOf: (seed: number, stream: number) => Draw
export const weighted: <T extends { readonly weight: number }>(options: readonly T[], draw: number) => T
