/** Longest free text of a request, in characters. */
export const TEXT_LENGTH_MAX = 255
/** Longest text that carries a document of its own (metadata and the like), in characters. */
export const DOCUMENT_LENGTH_MAX = 8_192
/** Most user-defined fields of a payment. */
export const UDF_COUNT_MAX = 100
/** Length in characters to which texts of a gateway's error are cut. */
export const ERROR_TEXT_LENGTH_MAX = 1_024
/** Decisions that a strict report finds before they are folded: far more than are made within the 50 ms that takes. */
export const RECENT_DECISION_COUNT_MAX = 10_000
/** How long after its answer the event of a decision stands in the log at the latest, in milliseconds, while the log is there. */
export const DECISION_EVENT_MAX_MS = 50
/** Seconds after which a client may report again when the log is away. */
export const RETRY_AFTER_SECONDS = 1
/** Most rows of the table of gateway errors. */
export const GATEWAY_ERROR_TABLE_ROWS_MAX = 20_000
/** Largest file of the table of gateway errors, in bytes. */
export const GATEWAY_ERROR_TABLE_BYTES_MAX: number = 16 * 1024 * 1024
/** Most outcomes of one upload. */
export const UPLOAD_OUTCOME_COUNT_MAX = 100_000
/** Longest outcome of an upload, in bytes. */
export const UPLOAD_OUTCOME_BYTES_MAX: number = 64 * 1024
/** Outcomes of an upload that are read at a stretch, beside decisions that want answers. */
export const UPLOAD_GROUP_COUNT = 100
/** Groups of an upload that wait for the log at the same time; more make the client wait. */
export const UPLOAD_GROUPS_IN_FLIGHT_MAX = 16
/** Uploads at the same time; more are refused. Together they leave room in the appender for reports of their own. */
export const UPLOADS_IN_FLIGHT_MAX = 4
/** Of these, those of one merchant: an upload that is sent slowly, or never read, must not take the places of others. */
export const UPLOADS_PER_MERCHANT_MAX = 2
/** Merchants of an upload whose standing is remembered. */
export const UPLOAD_MERCHANT_COUNT_MAX = 1_000
/** Longest idempotency key of an upload, in characters. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 128
/** Longest report that comes by a topic, in bytes. */
export const INBOUND_REPORT_BYTES_MAX: number = 64 * 1024
/** Reports of a topic that are read at a stretch, beside decisions that want answers. */
export const INBOUND_GROUP_COUNT = 100
/** Groups of such reports that wait for the log at the same time; nothing more is read until some of them are durable. */
export const INBOUND_GROUPS_IN_FLIGHT_MAX = 16
/** Largest file of network fees, in bytes. */
export const NETWORK_FEES_BYTES_MAX: number = 1024 * 1024
/** Most merchant categories of the table of network fees. */
export const CATEGORY_COUNT_MAX = 1_000
/** Most connectors of which is told which networks they support. */
export const CONNECTOR_COUNT_MAX = 1_000
/** Most rows of the BIN table. */
export const BIN_TABLE_ROWS_MAX = 2_000_000
/** Largest file of the BIN table, in bytes. */
export const BIN_TABLE_BYTES_MAX: number = 512 * 1024 * 1024
/** Most networks that the metadata of a payment may name. */
export const CARD_NETWORK_COUNT_MAX = 100
/** Length in characters to which the name of a network is cut. */
export const NETWORK_NAME_LENGTH_MAX = 64
