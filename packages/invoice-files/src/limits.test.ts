import { expect, test } from '@jest/globals'
import { INVOICE_GROWTH_BYTES_MAX, INVOICE_HEAP_MIB_MAX } from './limits.ts'

/** A table that doubles stands beside the one that it takes the place of. */
const DOUBLING = 3

test('a PDF with millions of names ended the process: its thread ran out of heap before it was ended for what it takes', () => {
  expect(INVOICE_HEAP_MIB_MAX * 1024 * 1024).toBeGreaterThan(DOUBLING * INVOICE_GROWTH_BYTES_MAX)
})
