import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTextDecoding, foreignFormat } from './decode-text.ts'
import { createRecordSplitter, EndlessRecord, type SplitRecords } from './split-records.ts'

const linesOf = ({ records, firstLine, lineCountOf }: SplitRecords): readonly number[] => {
  let line = firstLine
  return records.map((record) => {
    line += lineCountOf(record)
    return line - lineCountOf(record)
  })
}

const splitAll = (pieces: readonly string[]) => {
  const splitter = createRecordSplitter()
  const parts: SplitRecords[] = [...pieces.map((piece) => splitter.take(piece)), splitter.finish()]
  return {
    records: parts.flatMap(({ records }) => records),
    lines: parts.flatMap(linesOf),
    broken: parts.flatMap(({ records, broken }) => records.map((_, index) => broken.has(index))),
  }
}

describe('records of a table', () => {
  test('with quotes, line ends in cells and lines to find them by', () => {
    const { records, lines, broken } = splitAll(['a,b\n"x\ny","say ""hi"""\n\n1,', '2'])
    expect(records).toEqual([['a', 'b'], ['x\ny', 'say "hi"'], [''], ['1', '2']])
    expect(lines).toEqual([1, 2, 4, 5])
    expect(broken).toEqual([false, false, false, false])
  })
  test.each(['\n', '\r\n', '\r'])('with lines that end in %j', (end) => {
    expect(splitAll([['a,b', '"1",2', '3,4', ''].join(end)]).records.filter(([first]) => first !== '')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })
  test.each([
    ['of all kinds', 'a,b\r\n1,2\n3,"4"\r5,6\r\n7,8'],
    ['like the first only there', 'a,b\r\n1,2\n3,"4"\n5,6\n7,8\n'],
    ['cut in two', 'a,b\r|\n1,2\r|3,"4"\r|\n5,6\n|7,8\r'],
  ])('with line ends %s: each is one', (_name, text) => {
    const { records, lines } = splitAll(text.split('|'))
    expect(records.filter(([first]) => first !== '')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
    ])
    expect(lines.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
  })
  test('behind a byte order mark, also with quotes around the first cell', () => {
    expect(splitAll(['', '\uFEFF"a",b\n1,2\n']).records.slice(0, 2)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })
  test('with quotes that can not be read', () => {
    // It goes on to the next quote that can end it.
    expect(splitAll(['a,b\n"x"y,2\n3,4\n']).broken).toEqual([false, true])
    expect(splitAll(['a,b\n"x"y,2"\n3,4\n']).broken.slice(0, 3)).toEqual([false, true, false])
  })
  test('of which one never ends', () => {
    const splitter = createRecordSplitter()
    splitter.take('a,b\n1,2\n')
    expect(() => {
      for (let piece = 0; piece < 100; piece++) splitter.take(`"${'x,\n'.repeat(20_000)}`.slice(piece === 0 ? 0 : 1))
    }).toThrow(EndlessRecord)
  })
  test('property: where the text is cut does not matter', () => {
    const cell = fc.oneof(fc.stringMatching(/^[a-z0-9 ]{0,6}$/), fc.constantFrom('x,y', 'q"q', 'l\nl'))
    const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(80)),
        (table, cuts) => {
          const text = `${table.map((record) => record.map(quoted).join(',')).join('\n')}\n`
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length]
          const pieces = places.slice(1).map((to, index) => text.slice(places[index], to))
          const found = splitAll(pieces)
          expect(found.records).toEqual(table)
          expect(found.lines).toEqual(splitAll([text]).lines)
        },
      ),
    )
  })
})

describe('bytes of a file', () => {
  test.each([
    ['a ZIP archive', [0x50, 0x4b, 3, 4, 1], /ZIP/],
    ['gzip', [0x1f, 0x8b, 8], /gzip/],
    ['UTF-16', [0xff, 0xfe, 0x61, 0], /UTF-16/],
    ['a PDF', [...Buffer.from('%PDF-1.7')], /PDF/],
    ['zero bytes', [0x61, 0, 0x62], /zero bytes/],
  ])('%s is no table', (_name, bytes, message) => {
    expect(foreignFormat(Uint8Array.from(bytes))).toMatch(message)
  })
  test('a table is none of these, with or without a byte order mark', () => {
    expect(foreignFormat(Buffer.from('a,b'))).toBeUndefined()
    expect(foreignFormat(Buffer.from('\uFEFFa,b'))).toBeUndefined()
  })
  test('a character that two pieces share is one', () => {
    const bytes = Buffer.from('né€')
    const decoding = createTextDecoding()
    expect([...bytes].map((byte) => decoding.take(Buffer.from([byte]))).join('') + decoding.finish()).toBe('né€')
  })
})
