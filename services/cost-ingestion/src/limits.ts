/** Largest report that is uploaded or fetched (cost.md 2), bytes. */
export const REPORT_BYTES_MAX: number = 8 * 1024 * 1024 * 1024

/** Bytes of a file that are read at a time: texts of this length are cleared away with everything else that is short-lived. */
export const READ_BYTES: number = 32 * 1024

/** Rows after which the reading of a file is told (cost.md 3.5). */
export const PROGRESS_ROW_COUNT = 50_000

/** Kinds of payments (cluster, day, channel, band) that are kept while a file is read; more are handed over meanwhile. */
export const BUCKETS_AT_HAND_MAX = 300_000

/** Kinds of payments of one report: more of them are no statistics any more. */
export const BUCKETS_PER_REPORT_MAX = 3_000_000

/** Currencies, and countries of issuers, of one report: there are fewer than 200 of the one and 250 of the other, which some spell in several ways. */
export const CURRENCIES_PER_REPORT_MAX = 200
export const COUNTRIES_PER_REPORT_MAX = 1_000

/** How often a command on an ingestion is decided before it is given up as a conflict. */
export const DECIDE_ATTEMPTS_MAX = 5

/** How long events wait for the log, milliseconds; they may come to stand in it later. */
export const APPEND_MAX_MS = 10_000

/** Shortest pause between two words about a file that is read, and longest one (a third of the lease), milliseconds. */
export const PROGRESS_PAUSE_MS = 500
export const HEARTBEAT_MS = 20_000

/** How often it is looked for what is due, milliseconds; what is accepted here is begun with at once. */
export const DUE_CHECK_INTERVAL_MS = 2_000

/** Files that one process reads at the same time. */
export const READINGS_AT_ONCE_MAX = 2

/** Reports that one process has in hand at the same time of uploads, and of each connector: one that does not answer holds up no others. */
export const TAKEN_AT_ONCE_MAX = 2

/** How long another process is left to learn the costs anew after a report that it has read, milliseconds. */
export const FIT_GRACE_MS = 60_000

/** Documents of one page of a look. */
export const PAGE_COUNT = 500

/** Reports of one account that count at the same time: more than a year of several a day. */
export const COUNTED_REPORTS_MAX = 2_000

/** Memory of the thread that reads a file, and of the one that learns from all files of an account, MiB. */
export const READING_MEMORY_MIB = 512
/** Part of it for what is short-lived, which nearly everything is that is made of a row: more would only lie about longer. */
export const READING_YOUNG_MEMORY_MIB = 12
/** Below 2 GiB an engine lets the heap of a thread grow to twice of what is in use at most, from there on to four times. */
export const FITTING_MEMORY_MIB = 2_000
export const FITTING_YOUNG_MEMORY_MIB = 6

/** How long a deletion waits until the costs were learned anew, milliseconds. */
export const REFIT_WAIT_MAX_MS = 15_000

/** Age of a file in the spool that belongs to no ingestion, before it is removed, milliseconds. */
export const ORPHAN_AGE_MS = 3_600_000

/** How long an upload that this process does not have is left to the one that took it, milliseconds. */
export const FILE_WAIT_MAX_MS = 3_600_000

/** Reports that one look for changed accounts finds. */
export const UNFITTED_LOOK_COUNT = 1_000

/** Events of a fit that are appended together: each holds hundreds of clusters. */
export const FIT_RECORD_COUNT = 10

/** How often an account is learned from again because another process did so at the same time. */
export const FIT_ATTEMPTS_MAX = 10

/** Learned clusters that are kept at hand for reads, of all merchants together. */
export const KNOWN_CLUSTER_COUNT_MAX = 200_000

/** Reports that are uploaded to one process at the same time. */
export const UPLOADS_AT_ONCE_MAX = 16

/** Of one merchant: who uploads slowly holds up no others. */
export const UPLOADS_OF_MERCHANT_MAX = 8

/** Largest answer of a connector that is no report, bytes. */
export const FETCHED_JSON_BYTES_MAX: number = 4 * 1024 * 1024

/** Files that one report may have. */
export const FILES_PER_REPORT_MAX = 1_000

/** Pages of a list of reports (cost.md 3.4). */
export const LISTED_PAGES_MAX = 50

/** Tokens that are kept at hand. */
export const KNOWN_TOKEN_COUNT_MAX = 1_000

/** Largest notice of a connector, bytes. */
export const NOTICE_BYTES_MAX: number = 256 * 1024
