import { Worker } from 'node:worker_threads'
import type { ReadInvoice } from '@switchyard/costs'
import { createLanes } from '@switchyard/kernel'
import {
  INVOICE_GROWTH_BYTES_MAX,
  INVOICE_GROWTH_LOOK_MS,
  INVOICE_HEAP_MIB_MAX,
  INVOICE_READ_TIMEOUT_MS,
  INVOICES_READ_AT_ONCE_MAX,
  INVOICES_WAITING_MAX,
} from './limits.ts'

/** Reads invoices, each in a thread of its own. */
export interface InvoiceReader {
  /** What the file is; `busy` when too many wait already. The bytes are given away. */
  readonly read: (bytes: Uint8Array<ArrayBuffer>) => Promise<ReadInvoice | 'busy'>
}

const tooMuch: ReadInvoice = { ok: false, problem: 'The file takes more time or memory to read than an invoice does' }
const broken: ReadInvoice = { ok: false, problem: 'The file could not be read' }

const isReadInvoice = (message: unknown): message is ReadInvoice => typeof message === 'object' && message !== null && 'ok' in message

/** What became of a thread: its answer, or what ended it. */
const answerOf = (worker: Worker, signal: AbortSignal): Promise<ReadInvoice> =>
  new Promise((resolve) => {
    worker.once('message', (message: unknown) => resolve(isReadInvoice(message) ? message : broken))
    worker.once('error', (error: Error) => resolve('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch : broken))
    worker.once('exit', () => resolve(broken))
    signal.addEventListener('abort', () => resolve(tooMuch), { once: true })
  })

/** Ends a reading that takes too long, or for which the process grows too much. */
const watch = (): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const ending = new AbortController()
  const before = process.memoryUsage.rss()
  const looks = setInterval(() => {
    if (process.memoryUsage.rss() - before > INVOICE_GROWTH_BYTES_MAX) ending.abort()
  }, INVOICE_GROWTH_LOOK_MS)
  const deadline = setTimeout(() => ending.abort(), INVOICE_READ_TIMEOUT_MS)
  return {
    signal: ending.signal,
    stop: () => {
      clearInterval(looks)
      clearTimeout(deadline)
    },
  }
}

/** An {@link InvoiceReader}. A file can neither block the process nor take its memory: its thread is ended. */
export const createInvoiceReader = (): InvoiceReader => {
  const lanes = createLanes(INVOICES_READ_AT_ONCE_MAX)

  const readNow = async (bytes: Uint8Array<ArrayBuffer>): Promise<ReadInvoice> => {
    const { signal, stop } = watch()
    const worker = new Worker(new URL('./invoice-thread.js', import.meta.url), {
      workerData: bytes,
      transferList: [bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: INVOICE_HEAP_MIB_MAX },
    })
    try {
      return await answerOf(worker, signal)
    } finally {
      stop()
      await worker.terminate()
    }
  }

  return { read: async (bytes) => (lanes.waitingCount() >= INVOICES_WAITING_MAX ? 'busy' : await lanes.run(() => readNow(bytes))) }
}
