import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  assert,
  type EventLog,
  EXPECTED_VERSION_MAX,
  hash53,
  isRequestTrace,
  type LogRecord,
  type NewRecord,
  OperatingError,
  type Positions,
  RECORD_TEXT_BYTES_MAX,
  TOPICS,
  type Topic,
} from '@switchyard/kernel'
import { createFaultGate, type MemoryLogFaults } from './faults.ts'
import { PARTITION_COUNT_DEFAULT } from './limits.ts'
import { createPartition, type Partition } from './partition.ts'
import { startOffsets, startTail, type Tail } from './tail.ts'

/** How a memory log is laid out. */
export interface MemoryLogOptions {
  /** Number of partitions of each topic. */
  readonly partitionCount?: number
  /** The partition of a key; default: by a hash of its own. A copy of a log has the positions of the original when it is given that one's. */
  readonly partitionOf?: (key: string) => number
}

/** An event log that lives as long as the object, with the means to let it fail. */
export interface MemoryLog extends EventLog {
  readonly faults: MemoryLogFaults
  /** Forgets the records up to these positions. */
  readonly truncate: (topic: Topic, upTo: Positions) => Promise<void>
}

/** What a read goes through: one partition, behind `after`, up to `end`. */
interface Stretch {
  readonly partition: Partition
  readonly after: number
  readonly end: number
}

const stretchesBehind = (partitions: readonly Partition[], topic: Topic, from: Positions): readonly Stretch[] =>
  Array.from(startOffsets(partitions, topic, from), ([partition, after]) => ({ partition, after, end: partition.lastOffset() }))

async function* readAll(stretches: readonly Stretch[], assertOpen: () => void): AsyncGenerator<readonly LogRecord[]> {
  for (const { partition, after, end } of stretches) {
    let offset = after
    while (offset < end) {
      assertOpen()
      const records = partition.read(offset, end)
      yield records
      offset = records.at(-1)?.position.offset ?? end
      await nextTurn()
    }
  }
}

/** What a read rejects with that could not even begin. */
async function* failing(error: unknown): AsyncGenerator<readonly LogRecord[]> {
  yield await Promise.reject(error)
}

/** The partitions of all topics. */
interface Partitions {
  readonly of: (topic: Topic) => readonly Partition[]
  readonly ofKey: (topic: Topic, key: string) => Partition
}

const createPartitions = (count: number, partitionOf = (key: string): number => hash53(key) % count): Partitions => {
  assert(Number.isInteger(count) && count > 0, 'a log has at least one partition')
  const partitions = new Map(TOPICS.map((topic) => [topic, Array.from({ length: count }, (_, number) => createPartition(topic, number))]))
  const of = (topic: Topic): readonly Partition[] => partitions.get(topic) ?? []
  return {
    of,
    ofKey: (topic, key) => {
      const partition = of(topic)[partitionOf(key)]
      assert(partition !== undefined, `${topic} has a partition for ${key}`)
      return partition
    },
  }
}

/** Refuses, before anything of an append was taken, what no log promises to keep. */
const assertKeepable = ({ key, headers }: NewRecord): void => {
  for (const text of [key, headers.id, headers.type, headers.correlation, headers.actor]) {
    const bytes = Buffer.byteLength(text ?? '')
    assert(bytes <= RECORD_TEXT_BYTES_MAX, `a key or header of ${bytes} bytes, at most ${RECORD_TEXT_BYTES_MAX} are possible`)
  }
  const { expectedVersion = 0 } = headers
  assert(isRequestTrace(headers), 'the trace of a record is a traceparent, its other ids are visible ASCII')
  const isVersion = Number.isInteger(expectedVersion) && expectedVersion >= 0 && expectedVersion <= EXPECTED_VERSION_MAX
  assert(isVersion, `an expected version is a whole number up to ${EXPECTED_VERSION_MAX}`)
}

/** What the caller does with its bytes after the call is no concern of the log. */
const keepableCopyOf = (record: NewRecord): NewRecord => {
  assertKeepable(record)
  return { ...record, value: new Uint8Array(record.value), headers: { ...record.headers } }
}

/** The event log for tests and trials: as strict as a real one, and gone with the process. */
export const createMemoryLog = ({ partitionCount = PARTITION_COUNT_DEFAULT, partitionOf }: MemoryLogOptions = {}): MemoryLog => {
  const partitions = createPartitions(partitionCount, partitionOf)
  const gate = createFaultGate()
  const tails = new Set<Tail>()
  let isClosed = false

  const assertOpen = (): void => {
    if (isClosed) throw new OperatingError('LOG_CLOSED', 'the event log is closed', { retryable: false })
  }
  return {
    faults: gate.faults,
    append: async (topic, records) => {
      assertOpen()
      const own = records.map(keepableCopyOf)
      return await gate.pass(() => {
        const positions = own.map((record) => partitions.ofKey(topic, record.key).append(record))
        for (const tail of tails) tail.wake()
        return positions
      })
    },
    read: (topic, from) => {
      try {
        assertOpen()
        return readAll(stretchesBehind(partitions.of(topic), topic, from), assertOpen)
      } catch (error) {
        return failing(error)
      }
    },
    subscribe: (options) => {
      const tail = startTail(partitions.of(options.topic), options, assertOpen)
      tails.add(tail)
      const stop = async (): Promise<void> => {
        await tail.stop()
        tails.delete(tail)
      }
      return { stop }
    },
    endPosition: async (topic, key) => {
      await nextTurn()
      assertOpen()
      const partition = partitions.ofKey(topic, key)
      return { partition: partition.number, offset: partition.lastOffset() }
    },
    endPositions: async (topic) => {
      await nextTurn()
      assertOpen()
      return new Map(partitions.of(topic).map(({ number, lastOffset }) => [number, lastOffset()]))
    },
    truncate: async (topic, upTo) => {
      await nextTurn()
      assertOpen()
      for (const partition of partitions.of(topic)) partition.removeUpTo(upTo.get(partition.number) ?? -1)
    },
    close: async () => {
      isClosed = true
      gate.faults.release()
      await gate.idle()
      await Promise.all([...tails].map(async (tail) => await tail.stop()))
    },
  }
}
