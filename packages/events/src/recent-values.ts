/** Values that are remembered for each place in a body. */
const VALUE_COUNT_MAX = 16

/** Longest bytes whose value is remembered. */
const VALUE_BYTES_MAX = 512

/** What was read from some bytes. */
export interface RecentValue<Value> {
  readonly bytes: Uint8Array
  readonly value: Value
}

const standsAt = (bytes: Uint8Array, start: number, wanted: Uint8Array): boolean => {
  const last = wanted.length - 1
  if (start + last >= bytes.length || bytes[start + last] !== wanted[last]) return false
  for (let i = 0; i < last; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

/** The values that were read last at one place of bodies, with their bytes: comparing these takes less time than reading them. */
export class RecentValues<Value> {
  /** The one that was found last comes first. */
  readonly #recent: RecentValue<Value>[] = []

  /** The value whose bytes stand here, whatever stands behind them. */
  find(bytes: Uint8Array, start: number): RecentValue<Value> | undefined {
    const recent = this.#recent
    for (let index = 0; index < recent.length; index++) {
      const one = recent[index]
      if (one === undefined || !standsAt(bytes, start, one.bytes)) continue
      // It changes places with the first one: the next body is most likely to hold it, too.
      recent[index] = recent[0] ?? one
      recent[0] = one
      return one
    }
    return undefined
  }

  /** Remembers a value, for which one that was not found lately may have to go. */
  add(bytes: Uint8Array, value: Value): void {
    if (bytes.length > VALUE_BYTES_MAX) return
    if (this.#recent.unshift({ bytes: new Uint8Array(bytes), value }) > VALUE_COUNT_MAX) this.#recent.pop()
  }
}
