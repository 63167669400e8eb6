import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { readReportFile } from './read-report-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-reading-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = async (connector: string, text: string) => {
  const path = join(folder, 'report.csv')
  writeFileSync(path, text)
  const request = { path, connector, columns: {}, productByBin: new Map(), ingestedOn: 20_800 }
  let paymentCount = 0
  const outcome = await readReportFile(request, {
    advanced: () => {},
    chunk: async ({ buckets }) => {
      for (const bucket of buckets) paymentCount += bucket.paymentCount
    },
  })
  return { outcome, paymentCount }
}

const COLUMNS =
  'Merchant Order Number,Action Type Code Text,Payment Method Code,Card Usage Type,Country of Issuance,Settlement Currency Code,' +
  'Interchange Qualification Code,Transaction Amount in Presentment Currency,Total Interchange Amount,Total Assessment Amount,Submission Date'
const sale = (order: string): string => `${order},SALE,VI,3,US,USD,V148,80.00,-1.20,-0.11,12/31/2025`

describe('the frame of a report (cost.md 5.3)', () => {
  test.each([
    ['a line feed', '\n', 'END,3,DepositDetails\n'],
    ['both', '\r\n', 'END,3,DepositDetails'],
    ['nothing behind it', '\n', 'END,'],
    ['a quote that goes wrong', '\n', 'END,"3" of 3,x\n'],
    ['a quote that is not closed', '\n', 'END,"3'],
    ['bytes that are no UTF-8', '\n', 'END,\uFFFD\n'],
  ])('with %s: nothing of it counts, not as a payment and not as unreadable', async (_name, end, last) => {
    const lines = ['\uFEFFBEGIN,DepositDetails', 'EntityId=7,"a"', COLUMNS, sale('o1'), sale('o2'), sale('o3'), last]
    const { outcome, paymentCount } = await read('chase', lines.join(end))
    expect(outcome).toMatchObject({ kind: 'read', rowCount: 3, problems: [], report: { unreadableCount: 0, skippedCount: 0 } })
    expect(paymentCount).toBe(3)
  })

  test('in the middle of it, where files were put together', async () => {
    const one = ['BEGIN,x', 'EntityId=7', COLUMNS, sale('o1'), 'END,1']
    const { outcome } = await read('chase', [...one, 'BEGIN,x', 'EntityId=8', sale('o2'), 'END,1', ''].join('\n'))
    expect(outcome).toMatchObject({ kind: 'read', rowCount: 2, report: { unreadableCount: 0 } })
  })
})

test('lines are told by where they stand in the file, also behind cells of several lines', async () => {
  const lines = [COLUMNS, sale('"a\nb"'), sale('o2').replace('80.00', '8,0'), sale('o3').replace('80.00', 'x')]
  const { outcome } = await read('chase', `${lines.join('\n')}\n`)
  expect(outcome).toMatchObject({
    kind: 'refused',
    problems: [{ line: 4 }, { line: 5, column: 'Transaction Amount in Presentment Currency' }],
  })
})

test('a file whose column of currencies or countries holds something else was learned from over and over again, as no record has room for that many', async () => {
  const currencies = Array.from({ length: 5_000 }, (_, index) => sale(`o${index}`).replace('USD', `x${index}`))
  const countries = Array.from({ length: 5_000 }, (_, index) => sale(`o${index}`).replace(',US,', `,x${index},`))
  const { outcome } = await read('chase', [COLUMNS, ...currencies].join('\n'))
  expect(outcome).toMatchObject({ kind: 'refused', message: 'the file has 5000 currencies, more than 200: is their column the right one?' })
  const { outcome: other } = await read('chase', [COLUMNS, ...countries].join('\n'))
  expect(other).toMatchObject({ kind: 'refused', message: 'the file has 5000 countries, more than 1000: is their column the right one?' })
})

describe('bytes that are no UTF-8', () => {
  const columns = `${COLUMNS},Stra\uFFFDe`

  test('in columns that nothing is made of, or in the labels of these, made every payment unreadable and the file that of another connector', async () => {
    const { outcome, paymentCount } = await read('chase', [columns, `${sale('o1')},M\uFFFDller`, sale('Gr\uFFFD\uFFFDe')].join('\n'))
    expect(outcome).toMatchObject({ kind: 'read', rowCount: 2, problems: [] })
    expect(paymentCount).toBe(2)
  })

  test('in a column that is read make the payment unreadable, told by its name', async () => {
    const { outcome } = await read('chase', [columns, sale('o1').replace('V148', 'V\uFFFD')].join('\n'))
    const detail = 'holds bytes that are no UTF-8'
    expect(outcome).toMatchObject({ kind: 'refused', problems: [{ line: 2, column: 'Interchange Qualification Code', detail }] })
  })
})
