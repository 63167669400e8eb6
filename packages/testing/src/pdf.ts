import { deflateSync } from 'node:zlib'

const PAGE_TOP = 780
const LINE_HEIGHT = 14
const DESCRIPTION_LEFT = 40
const AMOUNT_LEFT = 420

const escaped = (text: string): string => text.replace(/[\\()]/g, (letter) => `\\${letter}`)

/** Lines of a page, set one below the other; what follows a tab stands in a second column. */
export const pageOf = (lines: readonly string[]): string =>
  lines
    .flatMap((line, index) =>
      line
        .split('\t')
        .map((text, column) => ({ text, y: PAGE_TOP - index * LINE_HEIGHT, x: column === 0 ? DESCRIPTION_LEFT : AMOUNT_LEFT })),
    )
    .map(({ text, x, y }) => `BT /F1 10 Tf ${x} ${y} Td (${escaped(text)}) Tj ET`)
    .join('\n')

/** A PDF of these pages of drawing instructions, packed. */
export const pdfOf = (pages: readonly (string | Buffer)[]): Buffer => {
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    ...pages.flatMap((page, index) => {
      const packed = deflateSync(page)
      return [
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        ),
        Buffer.concat([Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`), packed, Buffer.from('\nendstream')]),
      ]
    }),
  ]
  let offset = 0
  const parts: Buffer[] = []
  const offsets: number[] = []
  const push = (part: Buffer): void => {
    parts.push(part)
    offset += part.length
  }
  push(Buffer.from('%PDF-1.7\n'))
  objects.forEach((object, index) => {
    offsets.push(offset)
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]))
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = offset
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

/** The invoice of the worked example (cost.md 17.3), as a connector prints it. */
export const INVOICE_PAGES: readonly (readonly string[])[] = [
  [
    'Invoice 2026-06',
    'Invoice period 01-06-2026 - 30-06-2026',
    'Summary (overview of fees)',
    'Processing Fees\tEUR 4.200,00',
    'Revenue Protect\tEUR 1.800,00',
    'Chargeback Service\tEUR 900,00',
    'Invoice subtotal A\tEUR 6.900,00',
  ],
  [
    'Management\tEUR 350,00',
    'Non-Transactional Scheme Fees\tEUR 240,00',
    'Refund Fees\tEUR -310,00',
    'Payment Method Fees\tEUR 61.000,00',
    'Invoice subtotal\tEUR 68.180,00',
    'VAT 21 %\tEUR 14.317,80',
    'Amount due\tEUR 82.497,80',
    '120.000 Transaction fee EUR 7.800.000,00',
  ],
]
