import { VALUES_PER_DIMENSION_MAX } from '../limits.ts'
import type { Cluster, ScoreCell } from '../rollups/score-rollups.ts'
import { DIMENSIONS } from './cells.ts'
import { compareText } from './groups.ts'

/** Values that payments can be filtered by. */
export interface Vocabulary {
  /** Dimensions with their values in ascending order; those without any are left out. */
  readonly dimensions: readonly { readonly dimension: keyof Cluster; readonly values: readonly string[] }[]
  readonly gateways: readonly string[]
}

/** Collects the values seen, at most {@link VALUES_PER_DIMENSION_MAX} of each dimension. */
export interface VocabularyCollector {
  readonly add: (cell: ScoreCell) => void
  readonly values: () => Vocabulary
  /** `truncated` when values are missing: there were too many, or a cell left its own out. */
  readonly end: () => 'complete' | 'truncated'
}

/** An empty {@link VocabularyCollector}. */
export const createVocabulary = (): VocabularyCollector => {
  const seen = new Map(DIMENSIONS.map((dimension) => [dimension, new Set<string>()]))
  const gateways = new Set<string>()
  let isCut = false

  const note = (values: Set<string>, value: string | null): void => {
    if (value === null || value === '') return
    if (values.size < VALUES_PER_DIMENSION_MAX) values.add(value)
    else if (!values.has(value)) isCut = true
  }

  return {
    add: (cell) => {
      if (cell.precision === 'coarse') isCut = true
      note(gateways, cell.gateway)
      for (const [dimension, values] of seen) note(values, cell[dimension])
    },
    values: () => ({
      dimensions: [...seen]
        .filter(([, values]) => values.size > 0)
        .map(([dimension, values]) => ({ dimension, values: [...values].sort(compareText) })),
      gateways: [...gateways].sort(compareText),
    }),
    end: () => (isCut ? 'truncated' : 'complete'),
  }
}
