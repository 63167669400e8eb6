import type { Summary } from './summary.mjs'

export const tableLines: (head: readonly string[], rows: readonly (readonly string[])[]) => readonly string[]
export const reportText: (summary: Summary) => string
