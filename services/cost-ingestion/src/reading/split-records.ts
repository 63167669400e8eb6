import Papa from 'papaparse'

/** Longest record, in characters; a longer one is a quote that is never closed, or no table at all. */
const RECORD_LENGTH_MAX = 262_144

/** Records of a table as they were found. */
export interface SplitRecords {
  readonly records: readonly (readonly string[])[]
  /** Line of the file that the first one begins on, from 1. */
  readonly firstLine: number
  /** How many lines a record takes: quoted cells may hold line ends. */
  readonly lineCountOf: (record: readonly string[]) => number
  /** Places in `records` of those whose quotes can't be read. */
  readonly broken: ReadonlySet<number>
}

/** Takes the text of a table piece by piece. */
export interface RecordSplitter {
  /** Records that are complete with this piece. Throws {@link EndlessRecord}. */
  readonly take: (text: string) => SplitRecords
  /** What is left. */
  readonly finish: () => SplitRecords
}

/** A record goes on beyond {@link RECORD_LENGTH_MAX}. */
export class EndlessRecord extends Error {
  /** Line that it begins on. */
  readonly line: number

  constructor(line: number) {
    super(`the record that begins on line ${line} has more than ${RECORD_LENGTH_MAX} characters: is a quote not closed there?`)
    this.line = line
  }
}

type Newline = '\n' | '\r\n' | '\r'

const newlineOf = (text: string): Newline | undefined => {
  const feed = text.indexOf('\n')
  if (feed > 0 && text[feed - 1] === '\r') return '\r\n'
  if (feed >= 0) return '\n'
  const end = text.indexOf('\r')
  // A last character may be the first half of a pair.
  return end >= 0 && end < text.length - 1 ? '\r' : undefined
}

const countOf = (text: string, mark: string): number => {
  let count = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) count += 1
  return count
}

const oneLine = (): number => 1

const NOTHING: SplitRecords = { records: [], firstLine: 1, lineCountOf: oneLine, broken: new Set() }

/** A {@link RecordSplitter} for comma separated text with quotes. Keeps no more than the record that is not complete yet. */
export const createRecordSplitter = (): RecordSplitter => {
  let parser: Papa.Parser | undefined
  let newline: Newline = '\n'
  let rest = ''
  let line = 1

  const lineCountOf = (record: readonly string[]): number => record.reduce((count, cell) => count + countOf(cell, newline), 1)

  const split = (text: string, isLast: boolean): SplitRecords => {
    if (parser === undefined) {
      const found = newlineOf(text)
      if (found === undefined && !isLast) {
        rest = text
        if (rest.length > RECORD_LENGTH_MAX) throw new EndlessRecord(line)
        return NOTHING
      }
      newline = found ?? '\n'
      parser = new Papa.Parser({ delimiter: ',', newline, quoteChar: '"' })
    }
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
    rest = isLast ? '' : text.slice(meta.cursor)
    const firstLine = line
    const endCount = countOf(isLast ? text : text.slice(0, meta.cursor), newline)
    line += endCount
    if (rest.length > RECORD_LENGTH_MAX) throw new EndlessRecord(line)
    return {
      records: data,
      firstLine,
      // Where no record holds line ends, nothing has to be looked for.
      lineCountOf: endCount <= data.length ? oneLine : lineCountOf,
      broken: new Set(errors.flatMap(({ row }) => row ?? [])),
    }
  }

  return {
    take: (text) => split(rest + text, false),
    finish: () => (rest === '' ? NOTHING : split(rest, true)),
  }
}
