import type { EventLog, NewRecord, Position, Topic } from '@switchyard/kernel'

/** What one message asks to append, in its order. */
export type AppendBatch = readonly (readonly [topic: Topic, records: readonly NewRecord[]])[]

interface Waiting {
  readonly topic: Topic
  readonly records: readonly NewRecord[]
  readonly resolve: (positions: readonly Position[]) => void
  readonly reject: (error: unknown) => void
}

/** The bytes alone: a view into a larger buffer would be sent with all of it. */
const alone = (record: NewRecord): NewRecord => ({ ...record, value: new Uint8Array(record.value) })

/** Sends what is appended in one turn of the thread as one message: each one costs as much as several appends. */
export const createBatchedAppend = (send: (batch: AppendBatch) => Promise<readonly (readonly Position[])[]>): EventLog['append'] => {
  let waiting: Waiting[] = []

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const positions = await send(batch.map(({ topic, records }) => [topic, records.map(alone)]))
      for (const [index, { resolve }] of batch.entries()) resolve(positions[index] ?? [])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (topic, records) =>
    new Promise((resolve, reject) => {
      waiting.push({ topic, records, resolve, reject })
      if (waiting.length === 1) setImmediate(() => void flush())
    })
}
