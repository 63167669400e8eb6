/** A broken invariant is a bug: it stops the process, and the supervisor starts it again from the log. */
export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** Throws {@link AssertionFailed} unless `condition` holds. For invariants, never for input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}

/** Makes a switch over a union exhaustive: a new member does not compile until it is handled. */
export function assertNever(value: never): never {
  throw new AssertionFailed(`unexpected value ${JSON.stringify(value)}`)
}
