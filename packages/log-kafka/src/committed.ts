import { BEFORE_FIRST, type MissedRecords, type Positions, type ReceiveOptions } from '@switchyard/kernel'
import { type Attempts, persist } from './attempts.ts'
import { failureOf } from './failures.ts'
import { type PartitionRange, rangesOf } from './offsets.ts'
import type { KafkaLogOptions } from './options.ts'
import { openReader, type Reader } from './reader.ts'

/** The driver declares a field that the question does not have. */
const NOT_SENT = ''

/** How far a group is in these partitions, as it noted itself: offset of the next record, -1 where it has noted nothing. */
const committedOffsets = async (
  reader: Reader,
  groupId: string,
  topic: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, number>> =>
  await reader.use(async (cluster) => {
    const coordinator = await cluster.findGroupCoordinator({ groupId })
    const topics = [{ topic, partitions: partitions.map((partition) => ({ partition, offset: NOT_SENT })) }]
    const { responses } = await coordinator.offsetFetch({ groupId, topics })
    return new Map(responses.flatMap((each) => each.partitions.map(({ partition, offset }) => [partition, Number(offset)])))
  })

/**
 * Where a group goes on. A partition that it has noted nothing of, or that is not the one it knew (shorter than it was), is
 * read from its first record; where records were forgotten unread, it goes on behind them and says how many there were.
 */
export const startBehind = (
  committed: ReadonlyMap<number, number>,
  ranges: ReadonlyMap<number, PartitionRange>,
): { readonly from: Positions; readonly missed: readonly MissedRecords[] } => {
  const from = new Map<number, number>()
  const missed: MissedRecords[] = []
  for (const [partition, { first, next }] of ranges) {
    const noted = committed.get(partition) ?? -1
    if (noted >= 0 && noted < first) missed.push({ partition, count: first - noted })
    from.set(partition, (noted < first || noted > next ? first : noted) - 1)
  }
  return { from, missed }
}

/** Whose progress in which topic. */
export interface GroupInTopic {
  readonly options: KafkaLogOptions
  readonly group: string
  /** Name of the topic in the cluster. */
  readonly source: string
}

const startOf = async (
  reader: Reader,
  { options: { partitionCount }, group, source }: GroupInTopic,
  partitions: readonly number[],
): Promise<ReturnType<typeof startBehind> & { readonly ranges: ReadonlyMap<number, PartitionRange> }> => {
  const committed = await committedOffsets(reader, group, source, partitions)
  const ranges = await rangesOf(reader, { name: source, partitionCount, partitions })
  return { ...startBehind(committed, ranges), ranges }
}

/** Asks, on connections of its own, how many records a group has not noted as taken, of all partitions. */
export const createLagQuestion = (group: GroupInTopic): { readonly ask: () => Promise<number>; readonly close: () => void } => {
  const { options, source } = group
  const reader = openReader(options, [source])
  const all = Array.from({ length: options.partitionCount }, (_, partition) => partition)
  return {
    ask: async () => {
      try {
        const { from, ranges } = await startOf(reader, group, all)
        return [...ranges].reduce((sum, [partition, { next }]) => sum + next - 1 - (from.get(partition) ?? BEFORE_FIRST), 0)
      } catch (error) {
        throw failureOf(error, `lag of ${source}`)
      }
    },
    close: reader.close,
  }
}

/** What {@link createGroupStart} needs. */
export interface GroupStartDependencies extends GroupInTopic {
  readonly attempts: Attempts
  readonly onMissed: ReceiveOptions['onMissed']
  /** Notes how far the group is in a partition: what was missed is told once, also when nothing comes behind it. */
  readonly note: (partition: number, offset: number) => Promise<void>
}

/** Where a member goes on in partitions that it was given. */
export const createGroupStart =
  ({ attempts, onMissed, note, ...group }: GroupStartDependencies) =>
  async (partitions: readonly number[]): Promise<Positions> => {
    if (partitions.length === 0) return new Map()
    const reader = openReader(group.options, [group.source])
    // A question to brokers that are silent would be waited for.
    attempts.signal.addEventListener('abort', reader.close)
    try {
      const { from, missed } = await persist(async () => await startOf(reader, group, partitions), attempts)
      missed.forEach(onMissed)
      const told = new Set(missed.map(({ partition }) => partition))
      await Promise.all([...from].map(async ([partition, offset]) => (told.has(partition) ? await note(partition, offset) : undefined)))
      return from
    } finally {
      attempts.signal.removeEventListener('abort', reader.close)
      reader.close()
    }
  }
