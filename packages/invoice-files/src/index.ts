export type { InvoiceReader } from './invoice-reader.ts'
export { createInvoiceReader } from './invoice-reader.ts'
export { INVOICE_BYTES_MAX } from './limits.ts'
