import { type DocumentWrite, hash53, type Positions, type ReadStore, type Topic } from '@switchyard/kernel'
import { CHECKPOINTS_COLLECTION, pagesOf } from './stream-documents.ts'

const KIND = 'documents'

/**
 * Remembers how far the documents of a set of projections are stored: further than the fold's last snapshot, because
 * documents are stored several times a second. Behind a crash the fold is repeated from its snapshot, the documents are not.
 */
export interface DocumentCheckpoints {
  /** A partition is absent when documents of exactly these projections were never stored for it: they have to see it from its beginning. */
  readonly restore: () => Promise<Positions>
  /** What to write when all documents up to these positions are durable. */
  readonly writesOf: (positions: Positions) => readonly DocumentWrite[]
}

/** {@link DocumentCheckpoints} of the projections of these names. */
export const createDocumentCheckpoints = (store: ReadStore, topic: Topic, names: readonly string[]): DocumentCheckpoints => {
  const fingerprint = hash53(...names.toSorted()).toString(36)
  return {
    restore: async () => {
      const positions = new Map<number, number>()
      for await (const { position } of pagesOf(store, CHECKPOINTS_COLLECTION, [KIND, topic, fingerprint])) {
        positions.set(position.partition, position.offset)
      }
      return positions
    },
    writesOf: (positions) =>
      names.length === 0
        ? []
        : [...positions].map(([partition, offset]) => ({
            collection: CHECKPOINTS_COLLECTION,
            key: [KIND, topic, fingerprint, partition],
            position: { partition, offset },
            body: { names: [...names], offset },
          })),
  }
}
