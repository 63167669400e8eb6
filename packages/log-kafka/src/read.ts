import type { LogRecord, Positions } from '@switchyard/kernel'
import { type Attempts, createPatience } from './attempts.ts'
import { byLeader, type Fetched, fetchBehind } from './fetch.ts'
import { type PartitionRange, startOffsets, type TopicInCluster } from './offsets.ts'
import type { Reader } from './reader.ts'

/** Partitions that are not read to the end, with the last offset read. */
const unfinished = (offsets: ReadonlyMap<number, number>, ends: ReadonlyMap<number, number>): Map<number, number> =>
  new Map([...offsets].filter(([partition, after]) => after < (ends.get(partition) ?? -1)))

const fetchAll = async (reader: Reader, topic: TopicInCluster, offsets: ReadonlyMap<number, number>): Promise<readonly Fetched[]> =>
  await reader.use(async (cluster) => {
    const leaders = [...byLeader(cluster, topic.name, offsets.keys())]
    const answers = await Promise.all(
      leaders.map(async ([nodeId, partitions]) => {
        const wanted = new Map(partitions.map((partition) => [partition, offsets.get(partition) ?? -1]))
        return await fetchBehind(cluster, nodeId, topic, wanted)
      }),
    )
    return answers.flat()
  })

/** What to read. */
export interface Reading {
  readonly topic: TopicInCluster
  readonly from: Positions
  /** Asked for when the read was called: it ends where the log ended then. */
  readonly ranges: Promise<ReadonlyMap<number, PartitionRange>>
}

/** Batches of one partition each, up to the end. */
export async function* readToEnd(
  reader: Reader,
  { topic, from, ranges: asked }: Reading,
  attempts: Attempts,
): AsyncGenerator<readonly LogRecord[]> {
  const ranges = await asked
  const ends = new Map([...ranges].map(([partition, { next }]) => [partition, next - 1]))
  const offsets = startOffsets(topic, from, ranges)
  const patience = createPatience(attempts)
  for (let rest = unfinished(offsets, ends); rest.size > 0; rest = unfinished(offsets, ends)) {
    let answers: readonly Fetched[] = []
    try {
      answers = await fetchAll(reader, topic, rest)
      if (answers.some(({ partition, after }) => after > (rest.get(partition) ?? -1))) patience.succeeded()
      else throw Object.assign(new Error(`${topic.name}: nothing came of what is known to be there`), { code: 'NOTHING_FETCHED' })
    } catch (error) {
      await patience.failed(error)
    }
    for (const { partition, records, after } of answers) {
      const wanted = records.filter(({ position }) => position.offset <= (ends.get(partition) ?? -1))
      offsets.set(partition, after)
      if (wanted.length > 0) yield wanted
    }
  }
}
