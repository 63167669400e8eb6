import type { EventLog, NewRecord, Position } from '@switchyard/kernel'
import { type Append, type PackedAppends, packAppends } from './packed-appends.ts'

interface Waiting {
  readonly append: Append
  readonly resolve: (positions: readonly Position[]) => void
  readonly reject: (error: unknown) => void
}

/** Sends what is appended in one turn of the thread as one message: each one costs as much as several appends. */
export const createBatchedAppend = (send: (batch: PackedAppends) => Promise<readonly (readonly Position[])[]>): EventLog['append'] => {
  let waiting: Waiting[] = []

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    try {
      const positions = await send(packAppends(batch.map(({ append }) => append)))
      for (const [index, { resolve }] of batch.entries()) resolve(positions[index] ?? [])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (topic, records: readonly NewRecord[]) =>
    new Promise((resolve, reject) => {
      waiting.push({ append: [topic, records], resolve, reject })
      if (waiting.length === 1) setImmediate(() => void flush())
    })
}
