/** Longest free text of a request, in characters. */
export const TEXT_LENGTH_MAX = 255
/** Longest text that carries a document of its own (metadata and the like), in characters. */
export const DOCUMENT_LENGTH_MAX = 8_192
/** Most user-defined fields of a payment. */
export const UDF_COUNT_MAX = 100
/** Length in characters to which texts of a gateway's error are cut. */
export const ERROR_TEXT_LENGTH_MAX = 1_024
/** Decisions that a strict report finds before they are folded: far more than are made within the 50 ms that takes. */
export const RECENT_DECISION_COUNT_MAX = 50_000
/** Seconds after which a client may report again when the log is away. */
export const RETRY_AFTER_SECONDS = 1
