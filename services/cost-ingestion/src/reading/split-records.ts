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

/** Whether a record is a line without anything in it: it counts for nothing. */
export const isBlank = (record: readonly string[]): boolean => record.length === 1 && record[0] === ''

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

const NEWLINE = '\n'
const BYTE_ORDER_MARK = '\uFEFF'

/** Line ends as one character: programs write them differently, and files that were put together have several kinds. */
const withOneNewline = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, NEWLINE) : text)

const newlineCountOf = (text: string): number => {
  let count = 0
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

const oneLine = (): number => 1

const lineCountOf = (record: readonly string[]): number => record.reduce((count, cell) => count + newlineCountOf(cell), 1)

const NOTHING: SplitRecords = { records: [], firstLine: 1, lineCountOf: oneLine, broken: new Set() }

/** A {@link RecordSplitter} for comma separated text with quotes. Keeps no more than the record that is not complete yet. */
export const createRecordSplitter = (): RecordSplitter => {
  const parser = new Papa.Parser({ delimiter: ',', newline: NEWLINE, quoteChar: '"' })
  let isAtStart = true
  /** A last character that may be the first half of a line end. */
  let half = ''
  let rest = ''
  let line = 1

  const split = (text: string, isLast: boolean): SplitRecords => {
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
    rest = isLast ? '' : text.slice(meta.cursor)
    const firstLine = line
    const endCount = newlineCountOf(isLast ? text : text.slice(0, meta.cursor))
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

  /** What can be split of a piece. */
  const readable = (piece: string): string => {
    // Before a quote the mark would make it a part of the cell.
    const text = half + (isAtStart && piece.startsWith(BYTE_ORDER_MARK) ? piece.slice(1) : piece)
    isAtStart &&= piece === ''
    half = text.endsWith('\r') ? '\r' : ''
    return withOneNewline(half === '' ? text : text.slice(0, -1))
  }

  return {
    take: (text) => split(rest + readable(text), false),
    finish: () => (rest === '' ? NOTHING : split(rest, true)),
  }
}
