import { getDocumentProxy } from 'unpdf'
import { INVOICE_PAGE_COUNT_MAX, PAGE_ITEM_COUNT_MAX } from './limits.ts'

/** Text is on one line when it is set this close to it, as a share of its size. */
const LINE_TOLERANCE = 0.4
const SMALLEST_SIZE = 1

interface Placed {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Lines of text of a PDF, or why there are none. */
export type PdfLines = { readonly ok: true; readonly lines: readonly string[] } | { readonly ok: false; readonly problem: string }

const placedOf = (item: object): readonly Placed[] => {
  if (!('str' in item) || typeof item.str !== 'string' || item.str.trim() === '') return []
  const transform: unknown = 'transform' in item ? item.transform : undefined
  if (!Array.isArray(transform)) return []
  const [, , shear, height, x, y] = transform.map(Number)
  return [{ text: item.str, x: x ?? 0, y: y ?? 0, size: Math.max(SMALLEST_SIZE, Math.hypot(shear ?? 0, height ?? 0)) }]
}

/** Pieces of text in the order in which people read them: lines from top to bottom, each from left to right. */
const linesOf = (items: readonly Placed[]): readonly string[] => {
  const lines: Placed[][] = []
  for (const item of [...items].sort((one, other) => other.y - one.y)) {
    const line = lines.at(-1)
    const [first] = line ?? []
    if (line && first && first.y - item.y <= LINE_TOLERANCE * Math.max(first.size, item.size)) line.push(item)
    else lines.push([item])
  }
  return lines.map((line) =>
    line
      .sort((one, other) => one.x - other.x)
      .map(({ text }) => text)
      .join(' '),
  )
}

const unreadable = { ok: false, problem: 'The file is no PDF that can be read' } as const

const openPdf = async (bytes: Uint8Array) => {
  try {
    // Nothing of the file is run, drawn, or fetched.
    return await getDocumentProxy(bytes, {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      stopAtErrors: true,
      verbosity: 0,
    })
  } catch {
    return undefined
  }
}

/** The lines of text of all pages, in order. */
export const pdfLines = async (bytes: Uint8Array): Promise<PdfLines> => {
  const pdf = await openPdf(bytes)
  if (pdf === undefined) return unreadable
  if (pdf.numPages > INVOICE_PAGE_COUNT_MAX)
    return { ok: false, problem: `The PDF has ${pdf.numPages} pages: an invoice may have ${INVOICE_PAGE_COUNT_MAX}` }
  const lines: string[] = []
  try {
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      if (items.length > PAGE_ITEM_COUNT_MAX) return { ok: false, problem: `Page ${number} of the PDF has more text than an invoice` }
      lines.push(...linesOf(items.flatMap(placedOf)))
      page.cleanup()
    }
  } catch {
    return unreadable
  }
  return { ok: true, lines }
}
