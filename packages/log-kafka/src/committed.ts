import type { MissedRecords, Positions } from '@switchyard/kernel'
import type { PartitionRange } from './offsets.ts'
import type { Reader } from './reader.ts'

/** The driver declares a field that the question does not have. */
const NOT_SENT = ''

/** How far a group is in these partitions, as it noted itself: offset of the next record, -1 where it has noted nothing. */
export const committedOffsets = async (
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
