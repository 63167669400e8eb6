import { type BinRow, type BinRowFacts, cardOfRows } from './bin-rows.ts'
import type { FoundCard } from './co-badged-card.ts'

/** Digits of a BIN that are ever looked up: of a card number no more are kept. */
export const BIN_DIGITS = 8
/** Digits to which a BIN of eight falls back. */
const SHORT_BIN_DIVISOR = 100
/** Most rows that may cover one BIN: what a card can be over, several times over. */
export const BIN_ROWS_PER_RANGE_MAX = 64

/** Cards by their first digits (network.md 4.2). */
export interface BinTable {
  readonly rowCount: number
  /** The card of a BIN; one of up to seven digits stands for the eight that it begins, filled up with zeros. */
  readonly cardOf: (bin: string) => FoundCard
}

/** A row of a table can't be compiled; `row` counts from 0. */
export interface BinTableProblem {
  readonly row: number
  readonly detail: string
}

const NOTHING = -1
const NOT_A_BIN: FoundCard = { problem: 'cardIsin is not a number of up to 8 digits' }
const UNKNOWN_BIN: FoundCard = { problem: 'no row of the BIN table covers cardIsin' }
const ZERO = 48

/** The first eight digits as a number, filled up with zeros; NaN for what are no digits. Allocates nothing. */
const numberOf = (bin: string): number => {
  let value = 0
  for (let index = 0; index < BIN_DIGITS; index++) {
    const digit = index < bin.length ? bin.charCodeAt(index) - ZERO : 0
    if (digit < 0 || digit > 9) return Number.NaN
    value = value * 10 + digit
  }
  return bin === '' ? Number.NaN : value
}

/** Stretches of BINs that the same rows cover. */
interface Stretches {
  /** First BIN of each, ascending. */
  readonly starts: Uint32Array
  /** Which card; {@link NOTHING} where no row is. */
  readonly cards: Int32Array
  readonly count: number
}

/** Index of the last stretch that begins at or before the value. */
const stretchAt = ({ starts, count }: Stretches, value: number): number => {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Numbers the different sets of rows, by what they say. */
class CardsOfRows {
  readonly cards: FoundCard[] = []
  readonly #byKey: Map<string, number> = new Map()
  readonly #factIds: Map<BinRowFacts, number> = new Map()
  readonly #rows: readonly BinRow[]

  constructor(rows: readonly BinRow[]) {
    this.#rows = rows
  }

  /** The card that these rows, ascending, tell. */
  of(active: readonly number[]): number {
    if (active.length === 0) return NOTHING
    const facts = active.map((row) => this.#rows[row]?.facts).filter((known) => known !== undefined)
    const key = facts.map((known) => this.#idOf(known)).join()
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    this.#byKey.set(key, this.cards.length)
    return this.cards.push(cardOfRows(facts)) - 1
  }

  #idOf(facts: BinRowFacts): number {
    const id = this.#factIds.get(facts) ?? this.#factIds.size
    this.#factIds.set(facts, id)
    return id
  }
}

const insertSorted = (active: number[], row: number): void => {
  let index = active.length
  while (index > 0 && (active[index - 1] ?? 0) > row) index -= 1
  active.splice(index, 0, row)
}

/** The rows in the order in which an end of theirs comes along. */
interface RowEnds {
  /** Where the next one is; infinity after the last. */
  readonly next: () => number
  /** Hands over the rows whose end is here. */
  readonly take: (at: number, use: (row: number) => void) => void
}

const createRowEnds = (rows: readonly BinRow[], endOf: (row: BinRow) => number): RowEnds => {
  const ends = Float64Array.from(rows, endOf)
  const order = Uint32Array.from(rows, (_, index) => index).sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
  let taken = 0
  const next = (): number => ends[order[taken] ?? NOTHING] ?? Number.POSITIVE_INFINITY
  return {
    next,
    take: (at, use) => {
      for (; next() === at; taken++) use(order[taken] ?? NOTHING)
    },
  }
}

/** A walk along the BINs: what begins, what ends, which card is between. */
const sweep = (rows: readonly BinRow[], cards: CardsOfRows): Stretches | BinTableProblem => {
  const begins = createRowEnds(rows, ({ first }) => first)
  const ends = createRowEnds(rows, ({ last }) => last + 1)
  const starts = new Uint32Array(2 * rows.length)
  const cardIds = new Int32Array(2 * rows.length)
  const active: number[] = []
  let count = 0
  for (let at = Math.min(begins.next(), ends.next()); at < Number.POSITIVE_INFINITY; at = Math.min(begins.next(), ends.next())) {
    ends.take(at, (row) => active.splice(active.indexOf(row), 1))
    begins.take(at, (row) => insertSorted(active, row))
    if (active.length > BIN_ROWS_PER_RANGE_MAX) {
      return { row: Math.max(...active), detail: `more than ${BIN_ROWS_PER_RANGE_MAX} rows cover the BIN ${at}` }
    }
    starts[count] = at
    cardIds[count] = cards.of(active)
    count += 1
  }
  return { starts: starts.slice(0, count), cards: cardIds.slice(0, count), count }
}

/**
 * Compiles the rows, whose order is that of the networks of a card. A lookup takes logarithmic time and allocates nothing.
 * Rows that say the same share one `facts` object.
 */
export const createBinTable = (rows: readonly BinRow[]): BinTable | BinTableProblem => {
  const cards = new CardsOfRows(rows)
  const stretches = sweep(rows, cards)
  if ('detail' in stretches) return stretches
  const foundAt = (value: number): FoundCard | undefined => cards.cards[stretches.cards[stretchAt(stretches, value)] ?? NOTHING]
  return {
    rowCount: rows.length,
    cardOf: (bin) => {
      const value = numberOf(bin)
      if (Number.isNaN(value)) return NOT_A_BIN
      const found = foundAt(value)
      if (found !== undefined || bin.length < BIN_DIGITS) return found ?? UNKNOWN_BIN
      return foundAt(value - (value % SHORT_BIN_DIVISOR)) ?? UNKNOWN_BIN
    },
  }
}
