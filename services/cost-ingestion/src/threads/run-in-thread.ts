import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { AccountFit } from '@switchyard/costs'
import type { FitReports } from '../fitting/fitting.ts'
import { FITTING_MEMORY_MIB, FITTING_YOUNG_MEMORY_MIB, READING_MEMORY_MIB, READING_YOUNG_MEMORY_MIB } from '../limits.ts'
import type { ReadingOutcome, ReadReport } from '../reading/reading.ts'
import type { FromThread, ReportTask, ToThread } from './report-messages.ts'

const READING_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: READING_MEMORY_MIB,
  maxYoungGenerationSizeMb: READING_YOUNG_MEMORY_MIB,
}
const FITTING_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: FITTING_MEMORY_MIB,
  maxYoungGenerationSizeMb: FITTING_YOUNG_MEMORY_MIB,
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** Whether a thread ended because it needed more memory than it may have. */
export const isOutOfMemory = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY

/** A thread for one task. `hear` gets what it tells; a failure of the hearer ends it. */
const startThread = (task: ReportTask, resourceLimits: ResourceLimits, signal?: AbortSignal) => {
  const worker = new Worker(new URL('./report-thread.js', import.meta.url), {
    workerData: task,
    resourceLimits,
  })
  const tell = (message: ToThread): void => worker.postMessage(message)
  const heard = <Value>(hear: (message: FromThread, done: (value: Value) => void) => void | Promise<void>): Promise<Value> =>
    new Promise<Value>((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        const failed = (error: unknown): void => reject(error)
        try {
          Promise.resolve(hear(message, resolve)).catch(failed)
        } catch (error) {
          failed(error)
        }
      })
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended without a word')))
    }).finally(() => void worker.terminate())
  return { tell, heard }
}

/** {@link ReadReport} in a thread of its own, which is ended with `signal`. */
export const readInThread: ReadReport = async (request, sink, signal) => {
  signal.throwIfAborted()
  const { tell, heard } = startThread({ kind: 'read', request }, READING_LIMITS, signal)
  return await heard<ReadingOutcome>(async (message, done) => {
    if (message.kind === 'advanced') sink.advanced(message.rowCount)
    else if (message.kind === 'chunk') {
      await sink.chunk(message.chunk)
      tell({ kind: 'taken' })
    } else if (message.kind === 'read') done(message.outcome)
  })
}

/** {@link FitReports} in a thread of its own. */
export const fitInThread: FitReports = async ({ parts, ...request }) => {
  const { tell, heard } = startThread({ kind: 'fit', request }, FITTING_LIMITS)
  const rest = parts[Symbol.asyncIterator]()
  const events: AccountFit['events'][number][] = []
  return await heard<AccountFit>(async (message, done) => {
    if (message.kind === 'fit-event') events.push(message.event)
    else if (message.kind === 'fitted') done({ events, changes: message.changes, touched: message.touched })
    else if (message.kind === 'ready') {
      const next = await rest.next()
      tell(next.done === true ? { kind: 'all-told' } : { kind: 'part', part: next.value })
    }
  })
}
