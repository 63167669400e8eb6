import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@switchyard/kernel'
import { readInvoiceFile } from './read-invoice-file.ts'

/** The thread that reads one invoice, which it was started with, and tells what it found. */
const run = async (): Promise<void> => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  const bytes: unknown = workerData
  assert(bytes instanceof Uint8Array, 'an invoice is bytes')
  port.postMessage(await readInvoiceFile(bytes))
}

await run()
