/** Why a report that came by a topic was set aside. */
export interface DeadReport {
  readonly reason: /** Longer than a report may be. */
    | 'RECORD_TOO_LARGE'
    /** Neither JSON nor Avro, or a field that is missing or wrong. */
    | 'INVALID_INPUT'
    /** Avro of an id that the registry does not have. */
    | 'SCHEMA_UNKNOWN'
    /** Avro of another schema, or bytes that don't fit it. */
    | 'RECORD_UNREADABLE'
    /** The key of the message is not the merchant of the report. */
    | 'KEY_MISMATCH'
    | 'MERCHANT_NOT_FOUND'
    /** A fault of this release: it is in the process's log. */
    | 'INTERNAL_ERROR'
  /** For a person; never repeats what was sent. */
  readonly message: string
}

/** A report that is set aside. */
export const dead = (reason: DeadReport['reason'], message: string): DeadReport => ({ reason, message })
