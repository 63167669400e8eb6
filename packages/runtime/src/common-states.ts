type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

const sameMembers = (a: Members, b: Members): boolean => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
}

/** Whether two values of plain data say the same. */
const isSame = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b) && sameMembers(a, b))

/**
 * Most merchants have set nothing of a slice, so that their states say the same. They are kept once: for each of many merchants an
 * own one would be another place in memory to wait for. States are never changed, so nobody sees the difference.
 */
export class CommonStates {
  /** Of each slice the newest one. */
  readonly #states: unknown[] = []

  /** The state, or the newest one of the slice if it says the same; undefined stays so. */
  of(sliceNumber: number, state: unknown): unknown {
    if (state === undefined) return undefined
    const newest = this.#states[sliceNumber]
    if (isSame(newest, state)) return newest
    this.#states[sliceNumber] = state
    return state
  }
}
