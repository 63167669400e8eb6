/** Why an event that came by a topic was set aside. */
export interface DeadEvent {
  readonly reason: /** Longer than an event may be. */
    | 'RECORD_TOO_LARGE'
    /** Not JSON, or a field, the key or the idempotency key is missing or wrong. */
    | 'INVALID_INPUT'
    | 'MERCHANT_NOT_FOUND'
    /** Another event came under this idempotency key. */
    | 'CONTENT_DIFFERS'
    /** A fault of this release, or of its settings: it is in the process's log. */
    | 'INTERNAL_ERROR'
  /** For a person; says what is wrong and not what was sent. */
  readonly message: string
}

/** An event that is set aside. */
export const dead = (reason: DeadEvent['reason'], message: string): DeadEvent => ({ reason, message })
