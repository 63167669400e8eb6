import type { Baselines } from '../baseline.mjs'

export const withSections: (text: string, baselines: Baselines, names: readonly string[]) => string
