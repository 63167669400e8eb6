import type { Positions, ReadStore, Topic } from '@switchyard/kernel'
import { createDocumentCheckpoints } from './document-checkpoints.ts'
import { CHECKPOINTS_COLLECTION, pagesOf, STREAM_STATES_COLLECTION } from './stream-documents.ts'
import { type FoldedSlice, fingerprintOf } from './stream-fold.ts'

/** How far the documents of these projections are stored; undefined when they never were. */
export const documentPositions = async (store: ReadStore, topic: Topic, names: readonly string[]): Promise<Positions | undefined> =>
  await createDocumentCheckpoints(store, topic, names).restore()

/** How far the states of these slices are stored; undefined when they never were. */
export const streamPositions = async (store: ReadStore, slices: readonly FoldedSlice[]): Promise<Positions | undefined> => {
  const positions = new Map<number, number>()
  for await (const { position } of pagesOf(store, CHECKPOINTS_COLLECTION, [STREAM_STATES_COLLECTION, fingerprintOf(slices)])) {
    positions.set(position.partition, position.offset)
  }
  return positions.size === 0 ? undefined : positions
}
