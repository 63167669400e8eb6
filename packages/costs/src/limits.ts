/** Connectors whose fee a merchant may set. */
export const CONNECTOR_OVERRIDE_COUNT_MAX = 200
/** Clusters whose fee a merchant may set. */
export const CLUSTER_OVERRIDE_COUNT_MAX = 2_000
/** Accounts whose columns a merchant may map. */
export const MAPPED_ACCOUNT_COUNT_MAX = 200
/** Longest name of an account, in characters. */
export const ACCOUNT_LENGTH_MAX = 128
/** Clusters of one event of a fit. */
export const FIT_CHUNK_CLUSTER_COUNT = 500
/** Rates of BINs of one event of a fit. */
export const FIT_CHUNK_BIN_COUNT = 5_000
/** Accounts with an invoice. */
export const INVOICED_ACCOUNT_COUNT_MAX = 200
/** What the settled days in the first event of a fit may take beside its clusters, bytes: more than a year in fifty currencies. */
export const SETTLED_DAYS_BYTES_MAX: number = 1024 * 1024
