import type { MissedRecords, Positions } from '@switchyard/kernel'
import { createClient } from './client.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import type { PartitionRange } from './offsets.ts'
import type { KafkaLogOptions } from './options.ts'

/** How far a group is in each partition of a topic, as it noted itself: offset of the next record, -1 where it has noted nothing. */
export const committedOffsets = async (options: KafkaLogOptions, groupId: string, topic: string): Promise<ReadonlyMap<number, number>> => {
  const client = createClient(options, 'read', { initialRetryTime: RETRY_FIRST_MS, maxRetryTime: RETRY_MAX_MS, retries: 0 })
  const admin = client.kafka.admin({ retry: { retries: 0 } })
  try {
    await admin.connect()
    const [answer] = await admin.fetchOffsets({ groupId, topics: [topic] })
    return new Map(answer?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
  } finally {
    client.cut()
    admin.disconnect().catch(() => {})
  }
}

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
