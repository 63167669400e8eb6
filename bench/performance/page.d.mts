import type { StoredBaseline } from '../verdict.mjs'

export const withSections: (text: string, baseline: StoredBaseline, names: readonly string[]) => string
