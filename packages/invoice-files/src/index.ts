export type { InvoiceReader, StartInvoiceThread } from './invoice-reader.ts'
export { createInvoiceReader } from './invoice-reader.ts'
export { serveInvoiceThread } from './invoice-thread.ts'
export { INVOICE_BYTES_MAX } from './limits.ts'
