import type { IncludedPositions } from './scan.ts'
import type { Window } from './window.ts'

/** How far an answer reaches. */
export interface Freshness {
  /** When the answer was made, epoch milliseconds. */
  readonly asOfMs: number
  /** Newest events that the documents read include, by partition of the topic `payments`. */
  readonly positions: readonly { readonly partition: number; readonly offset: number }[]
  /** Whether a limit of documents or groups cut the answer off (the newest are in it). */
  readonly truncated: boolean
}

/** The span of time that an answer is about. */
export type AnsweredWindow = Pick<Window, 'label' | 'startMs' | 'endMs'>

/** What reading gave: positions included, and how each part of the reading ended. */
export interface Reach {
  readonly positions: IncludedPositions
  readonly ends: readonly ('complete' | 'truncated')[]
}

/** Freshness of an answer. */
export const freshnessOf = (asOfMs: number, { positions, ends }: Reach): Freshness => ({
  asOfMs,
  positions: [...positions].map(([partition, offset]) => ({ partition, offset })),
  truncated: ends.includes('truncated'),
})

/** What of a window an answer repeats. */
export const answeredWindow = ({ label, startMs, endMs }: Window): AnsweredWindow => ({ label, startMs, endMs })
