import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@switchyard/kernel'
import { readInvoiceFile } from './read-invoice-file.ts'

/** Reads the one invoice that a thread was started with, and tells what it found. What the thread's entry point calls. */
export const serveInvoiceThread = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  const bytes: unknown = workerData
  assert(bytes instanceof Uint8Array, 'an invoice is bytes')
  port.postMessage(await readInvoiceFile(bytes))
}
