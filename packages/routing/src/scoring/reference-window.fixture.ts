/** The window of decide.md 5.2 as a plain list, newest first; `real` marks outcomes, the others are the optimistic filling. */
interface ReferenceEntry {
  readonly sequence: number
  readonly outcome: 0 | 1
  readonly real: boolean
}
export type ReferenceWindow = readonly ReferenceEntry[]

/** A window full of successes. */
export const referenceWindow = (bucketSize: number): ReferenceWindow =>
  Array.from({ length: bucketSize }, (_, index) => ({ sequence: bucketSize - 1 - index, outcome: 1, real: false }))

/** Pushes the newest outcome and trims. */
export const referencePush = (window: ReferenceWindow, outcome: 0 | 1, bucketSize: number): ReferenceWindow =>
  [{ sequence: (window[0]?.sequence ?? -1) + 1, outcome, real: true }, ...window].slice(0, bucketSize)

/** Turns the entry of this number, if it is there. */
export const referenceTurn = (window: ReferenceWindow, sequence: number): ReferenceWindow =>
  window.map((entry) => (entry.sequence === sequence ? { ...entry, outcome: 1 } : entry))

/** Keeps the newest real outcomes; at most so many successes stand in for what was before. */
export const referenceForget = (window: ReferenceWindow, keptCount: number, optimisticCount: number): ReferenceWindow => {
  const kept = Math.min(keptCount, window.filter(({ real }) => real).length)
  return window.slice(0, kept + optimisticCount).map((entry, age) => (age < kept ? entry : { ...entry, outcome: 1, real: false }))
}

/** Sum over count of the newest min(B, length) entries. */
export const referenceScore = (window: ReferenceWindow, bucketSize: number): number => {
  const newest = window.slice(0, bucketSize)
  return newest.filter(({ outcome }) => outcome === 1).length / newest.length
}

/** Outcomes among the newest entries, without the optimistic filling. */
export const referenceSampleCount = (window: ReferenceWindow, bucketSize: number): number =>
  window.slice(0, bucketSize).filter(({ real }) => real).length
