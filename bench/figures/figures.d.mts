/** Writes a day of so many random events while it is projected; then replays it, and counts its figures from the raw topic. */
export const compareFigures: (options: { readonly seed: number; readonly eventCount: number; readonly folder: string }) => Promise<{
  readonly isCountedAlike: boolean
  /** As counted, and as read. */
  readonly expected: string
  readonly told: string
  /** Read models that differ between both projections. */
  readonly differences: readonly string[]
  readonly replayMs: number
}>
