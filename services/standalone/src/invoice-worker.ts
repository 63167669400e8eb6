import { serveInvoiceThread } from '@switchyard/invoice-files'

await serveInvoiceThread()
