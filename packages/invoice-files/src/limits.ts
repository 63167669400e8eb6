/** Largest invoice, in bytes (cost.md 11). */
export const INVOICE_BYTES_MAX: number = 32 * 1024 * 1024
/** Pages of a PDF that are read; more are no invoice. */
export const INVOICE_PAGE_COUNT_MAX = 100
/** Pieces of text on one page. */
export const PAGE_ITEM_COUNT_MAX = 20_000
/** Longest record of a CSV invoice, in bytes. */
export const INVOICE_RECORD_BYTES_MAX = 65_536
/** Cells of a record of a CSV invoice. */
export const INVOICE_CELL_COUNT_MAX = 1_000
/** How long the reading of one invoice may take, in milliseconds. */
export const INVOICE_READ_TIMEOUT_MS = 15_000
/**
 * Largest heap of the thread that reads, in mebibytes: more than it can fill before {@link INVOICE_GROWTH_BYTES_MAX} ends it. Where a table that
 * doubles finds no room, the engine ends the whole process.
 */
export const INVOICE_HEAP_MIB_MAX = 1_900
/** How much the process may grow while an invoice is read, in bytes: what is unpacked is not in the heap. */
export const INVOICE_GROWTH_BYTES_MAX: number = 512 * 1024 * 1024
/** How often that is looked at, in milliseconds. */
export const INVOICE_GROWTH_LOOK_MS = 25
/** Invoices that are read at the same time. */
export const INVOICES_READ_AT_ONCE_MAX = 2
/** Invoices that may wait for that. */
export const INVOICES_WAITING_MAX = 8
