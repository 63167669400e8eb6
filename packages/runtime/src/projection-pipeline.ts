import { BEFORE_FIRST, type DocumentWrite, type LogRecord, type Now, type Positions, type ReadStore, type Topic } from '@switchyard/kernel'
import { createBreaths } from './breaths.ts'
import type { ProjectedInput, ProjectionOf } from './cached-document.ts'
import { deadLetterOf } from './dead-letters.ts'
import { isPoison } from './decode-event.ts'
import { createDocumentCache, type DocumentCache } from './document-cache.ts'
import { createDocumentCheckpoints } from './document-checkpoints.ts'
import { type ProjectorLimits } from './limits.ts'
import type { Progress } from './progress.ts'
import { createStoreAccess, type StoreAccess } from './store-access.ts'
import type { Timers } from './timers.ts'
import type { PersistWhen, RecordedEvent, TopicFold } from './topic-fold.ts'

/** Record -> event -> fold -> documents -> store. Calls must not overlap; after a rejection there is no further call. */
export interface ProjectionPipeline {
  /**
   * Loads the fold of the partitions wanted; the log is read from behind these positions. From its beginning when the projections
   * are others than those whose documents are stored.
   */
  readonly restore: (isWanted?: (partition: number) => boolean) => Promise<Positions>
  /** Folds records of one partition, in order; flushes when many documents have changed. */
  readonly process: (records: readonly LogRecord[]) => Promise<void>
  /**
   * Stores documents and dead letters first, then how far they reach, then the fold with its positions: a crash in between
   * repeats, never skips.
   */
  readonly flush: (when: PersistWhen) => Promise<void>
  readonly isFlushed: () => boolean
  /** A document as of what was processed, whether or not it is stored yet. */
  readonly view: DocumentCache<object>['view']
  /** The same of a document that is in memory, at any time; undefined for others, and while the store is away: who acts on it would record in vain. */
  readonly atHand: DocumentCache<object>['atHand']
  readonly report: () => PipelineReport
}

/** For status and metrics. */
interface PipelineReport {
  /** Epoch milliseconds; null before the first. */
  readonly lastFlushedAt: number | null
  readonly deadLetterCount: number
  /** Why the store does not answer at the moment. */
  readonly storeFailure: unknown
}

/** What a {@link ProjectionPipeline} needs. */
export interface PipelineDependencies<Event, Effects> {
  readonly topic: Topic
  readonly store: ReadStore
  readonly fold: TopicFold<Event, Effects>
  readonly projections: readonly ProjectionOf<RecordedEvent<Event, Effects>>[]
  readonly limits: ProjectorLimits
  readonly timers: Timers
  readonly now: Now
  /** Hears of everything that was flushed. */
  readonly progress: Progress
  /** Hears of everything that was processed, before it is stored. */
  readonly processed: Progress
  /** Gets what was applied to the documents, in order. */
  readonly onProjected?: (inputs: readonly RecordedEvent<Event, Effects>[]) => void
  /** Ends the attempts to reach the store. */
  readonly signal: AbortSignal
}

type Input<Event, Effects> = RecordedEvent<Event, Effects>

/** What a record says and does, for the documents: nothing when it had no effect, or can't be read. */
const inputOf = <Event, Effects>(
  { fold, topic }: Pick<PipelineDependencies<Event, Effects>, 'fold' | 'topic'>,
  record: LogRecord,
  breathe: () => void,
  onPoison: (deadLetter: DocumentWrite) => void,
): readonly Input<Event, Effects>[] => {
  breathe()
  try {
    const event = fold.decode(record.value)
    const effects = fold.apply(record, event)
    const { id: eventId, actor = null, correlation: requestId = null } = record.headers
    const { position, headers: trace, value } = record
    return effects === undefined ? [] : [{ event, effects, position, bytes: value.length, eventId, actor, requestId, trace }]
  } catch (error) {
    if (!isPoison(error)) throw error
    onPoison(deadLetterOf(topic, record, error))
    return []
  }
}

/** What an input ends is gone before anything behind it is loaded. */
const projectAll = async <Input extends ProjectedInput>(
  inputs: readonly Input[],
  documents: DocumentCache<Input>,
  access: StoreAccess,
  breathe: () => void,
): Promise<void> => {
  const end = inputs.findIndex(documents.ends)
  const before = end < 0 ? inputs : inputs.slice(0, end)
  await access.reach(() => documents.load(before))
  for (const input of before) {
    breathe()
    documents.project(input)
  }
  const ending = inputs[end]
  if (ending === undefined) return
  await access.write(documents.takeWrites(), documents.settle)
  await access.reach(() => documents.remove(ending))
  await projectAll(inputs.slice(end + 1), documents, access, breathe)
}

/** Large documents that wait for a write are not on top of those that are kept: half of their room is for the former. */
const isFull = (
  documents: Pick<DocumentCache<object>, 'dirtyBytes' | 'dirtyCount'>,
  deadLetterCount: number,
  { cachedBytesMax, dirtyCountMax }: ProjectorLimits,
): boolean => documents.dirtyCount() + deadLetterCount >= dirtyCountMax || documents.dirtyBytes() >= cachedBytesMax / 2

/** A {@link ProjectionPipeline} that waits for the store as long as it takes, and skips nothing. */
export const createProjectionPipeline = <Event, Effects>(dependencies: PipelineDependencies<Event, Effects>): ProjectionPipeline => {
  const { topic, store, fold, projections, limits, timers, now, progress, processed, signal } = dependencies
  const documents = createDocumentCache<Input<Event, Effects>>({ store, projections, ...limits })
  const checkpoints = createDocumentCheckpoints(
    store,
    topic,
    projections.map(({ name }) => name),
  )
  /** Up to here the documents were stored before the start. */
  let documented: Positions = new Map()
  let deadLetters: DocumentWrite[] = []
  let lastFlushedAt: number | null = null
  let deadLetterCount = 0
  const access = createStoreAccess(store, timers, signal)
  const breathe = createBreaths()
  let flushed = true

  const flush = async (when: PersistWhen): Promise<void> => {
    await access.write(documents.takeWrites(), documents.settle)
    await access.write(deadLetters, (_batch, outcomes) => {
      deadLetterCount += outcomes.filter((outcome) => outcome === 'applied').length
    })
    deadLetters = []
    await access.write(checkpoints.writesOf(processed.positions()), () => {})
    await access.reach(() => fold.persist(processed.positions(), when))
    for (const [partition, offset] of processed.positions()) progress.advance(partition, offset)
    lastFlushedAt = now()
    flushed = true
  }

  const processSlice = async (records: readonly LogRecord[]): Promise<void> => {
    const inputs = records
      .flatMap((record) => inputOf(dependencies, record, breathe, (deadLetter) => deadLetters.push(deadLetter)))
      .filter(({ position }) => position.offset > (documented.get(position.partition) ?? BEFORE_FIRST))
    await projectAll(inputs, documents, access, breathe)
    const last = records.at(-1)?.position
    if (last !== undefined) processed.advance(last.partition, last.offset)
    dependencies.onProjected?.(inputs)
    flushed = false
    if (isFull(documents, deadLetters.length, limits)) await flush('if-due')
    documents.evict()
  }

  return {
    restore: async (isWanted = () => true) => {
      documented = await access.reach(checkpoints.restore)
      const isDocumented = (partition: number): boolean => projections.length === 0 || documented.has(partition)
      const stored = await access.reach(() => fold.restore((partition) => isWanted(partition) && isDocumented(partition)))
      for (const [partition, offset] of stored) {
        processed.advance(partition, offset)
        progress.advance(partition, offset)
      }
      return stored
    },
    process: async (records) => {
      for (let i = 0; i < records.length; i += limits.sliceCountMax) await processSlice(records.slice(i, i + limits.sliceCountMax))
    },
    flush,
    isFlushed: () => flushed,
    view: (projection, key) => access.reach(() => documents.view(projection, key)),
    atHand: (projection, key) => (access.failure() === undefined ? documents.atHand(projection, key) : undefined),
    report: () => ({ lastFlushedAt, deadLetterCount, storeFailure: access.failure() }),
  }
}
