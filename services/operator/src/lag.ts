import { BEFORE_FIRST, type EventLog, type ReadStore, TOPICS, type Topic } from '@switchyard/kernel'
import { inGeneration, readGenerations } from '@switchyard/runtime'
import type { Command } from './command-line.ts'
import type { Console } from './console.ts'
import { READ_MODELS, storedPositionsOf } from './read-models.ts'

/** How far the read models of a partition are behind the log. */
interface PartitionLag {
  readonly topic: Topic
  readonly generation: number
  readonly partition: number
  /** Offset of the last record; -1 when there is none. */
  readonly end: number
  /** Offset of the last record that the documents include; -1 before the first. */
  readonly stored: number
  /** Offsets in between. */
  readonly lag: number
}

interface TopicLag {
  readonly partitions: readonly PartitionLag[]
  /** The generation that a rebuild fills. */
  readonly building: number | null
}

/** What is stored was read before the ends: in the log that it was made of it is never behind them. */
const isAhead = ({ end, stored }: PartitionLag): boolean => stored > end

const lagOfTopic = async (topic: Topic, log: EventLog, store: ReadStore): Promise<TopicLag> => {
  const { current, building } = await readGenerations(store, topic)
  // Read before the ends of the log: a record that comes in between counts as lag, never as a negative one.
  const positions = await storedPositionsOf(
    READ_MODELS[topic],
    inGeneration(store, () => current),
  )
  // Brokers tell the ends in an order of their own.
  const ends = [...(await log.endPositions(topic))].toSorted(([a], [b]) => a - b)
  const partitions = ends.map(([partition, end]): PartitionLag => {
    const stored = positions?.get(partition) ?? BEFORE_FIRST
    return { topic, generation: current, partition, end, stored, lag: Math.max(0, end - stored) }
  })
  return { partitions, building }
}

const row = (cells: readonly (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join('')

/** Prints how far the read models are behind the log. Resolves with the exit code: 1 when they are ahead of it. */
export const lag = async (
  { format }: Extract<Command, { readonly name: 'lag' }>,
  { log, store, console }: { readonly log: EventLog; readonly store: ReadStore; readonly console: Console },
): Promise<number> => {
  if (format === 'text') await console.print(row(['topic', 'generation', 'partition', 'end', 'stored', 'lag']))
  let aheadCount = 0
  for (const topic of TOPICS) {
    const { partitions, building } = await lagOfTopic(topic, log, store)
    for (const { generation, partition, end, stored, lag: count } of partitions) {
      const line = { topic, generation, partition, end, stored, lag: count, building }
      await console.print(format === 'json' ? JSON.stringify(line) : row([topic, generation, partition, end, stored, count]))
    }
    const ahead = partitions.filter(isAhead)
    aheadCount += ahead.length
    for (const { partition, end, stored } of ahead)
      console.note(`${topic} ${partition}: ${stored} is stored and the log ends at ${end}: it is another log, or has lost records`)
    if (building !== null)
      console.note(`${topic}: a rebuild fills generation ${building}, or was interrupted and goes on when it is run again`)
  }
  return aheadCount === 0 ? 0 : 1
}
