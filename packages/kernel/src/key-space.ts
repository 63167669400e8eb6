/** What stands under keys of a {@link KeySpace}: a row for each key, of as many columns as the table was made with. */
export interface KeyTable<Value> {
  readonly get: (key: string, column?: number) => Value | undefined
  readonly set: (key: string, value: Value, column?: number) => void
  /** Keys with something in the first column. */
  readonly keys: () => Iterable<string>
}

/** Keys of several tables, looked up once for all of them: each look into a large map waits for memory. One owner, one writer. */
export interface KeySpace {
  readonly table: <Value>(columnCount?: number) => KeyTable<Value>
  /** Where a key stands in all tables, for good; undefined for one under which nothing stands. */
  readonly placeOf: (key: string) => number | undefined
  /** The key that is asked for next, and its place: then it is not looked for. */
  readonly expect: (key: string, place: number) => void
}

/** Not the number of any key. */
const UNKNOWN = -1

/** A space without keys. */
export const createKeySpace = (): KeySpace => {
  const numbers = new Map<string, number>()
  const names: string[] = []
  /** What was asked for last: one request asks a dozen times for one key. */
  let lastKey: string | undefined
  let lastNumber = UNKNOWN

  const find = (key: string): number => {
    if (key === lastKey) return lastNumber
    lastNumber = numbers.get(key) ?? UNKNOWN
    lastKey = key
    return lastNumber
  }

  const add = (key: string): number => {
    lastKey = key
    lastNumber = names.push(key) - 1
    numbers.set(key, lastNumber)
    return lastNumber
  }

  const table = <Value>(columnCount = 1): KeyTable<Value> => {
    // One list for all rows: an object for each would be another place in memory to wait for.
    const values: (Value | undefined)[] = []
    return {
      get: (key, column = 0) => {
        const number = find(key)
        return number === UNKNOWN ? undefined : values[number * columnCount + column]
      },
      set: (key, value, column = 0) => {
        const known = find(key)
        const number = known === UNKNOWN ? add(key) : known
        const rowEnd = (number + 1) * columnCount
        // Without gaps: a list that has them may be kept as a map.
        while (values.length < rowEnd) values.push(undefined)
        values[number * columnCount + column] = value
      },
      keys: () => names.filter((_, number) => values[number * columnCount] !== undefined),
    }
  }
  return {
    table,
    placeOf: (key) => {
      const number = find(key)
      return number === UNKNOWN ? undefined : number
    },
    expect: (key, place) => {
      lastKey = key
      lastNumber = place
    },
  }
}
