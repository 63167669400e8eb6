/** Figures by the minute are kept as long as windows reach back: 18 times 30 days, milliseconds (analytics.md 1.3, 9). */
export const MINUTES_KEPT_MS = 46_656_000_000

/** Newest entries that a payment timeline keeps; the count of entries goes on counting. */
export const TIMELINE_ENTRIES_MAX = 200

/**
 * Characters of JSON that these entries take at most together: a search holds a page of timelines at a time, and stores take documents of 16 MiB, in which a
 * character may have three bytes.
 */
export const TIMELINE_TEXT_LENGTH_MAX: number = 1024 * 1024

/** Entries that always have room together: the largest, a decision between a hundred gateways, takes less than 200,000 characters. */
export const TIMELINE_ENTRIES_UNMEASURED = 5

/** Ids that a payment timeline is found by, beside its own: two for each of its entries. */
export const REQUEST_IDS_MAX: number = 2 * TIMELINE_ENTRIES_MAX

/** Distinct gateways, routes, statuses and the like that a payment timeline keeps of each. */
export const DISTINCT_VALUES_MAX = 20

/** Distinct groups (errors, rules, gateways) that one minute of a merchant keeps of each; the rest is counted as overflow. */
export const GROUPS_PER_MINUTE_MAX = 50

/** Clusters by gateway that one minute of a merchant keeps with all their dimensions. */
export const SCORE_CELLS_PER_MINUTE_MAX = 256

/** Cells by method and gateway that one minute keeps for scores beyond {@link SCORE_CELLS_PER_MINUTE_MAX}. */
export const COARSE_CELLS_PER_MINUTE_MAX = 64

/** Groups of decisions that one minute keeps with all their dimensions; further ones are kept without the card's first digits. */
export const DECISION_CELLS_FULL_MAX = 128

/** Groups of decisions that one minute keeps with or without the card's first digits; further ones keep the method alone. */
export const DECISION_CELLS_DETAILED_MAX = 256

/** Groups of decisions that one minute keeps in all. */
export const DECISION_CELLS_PER_MINUTE_MAX = 320

/** Calls that failed of which one minute of a merchant keeps each by itself, the newest; they are all counted. */
export const ERROR_SAMPLES_PER_MINUTE_MAX = 50

/** Groups of failed calls that one minute keeps with all that they were about; further ones are kept without the card's first digits. */
export const ERROR_CELLS_FULL_MAX = 32

/** Groups of failed calls that one minute keeps with or without the card's first digits; further ones keep the method alone. */
export const ERROR_CELLS_DETAILED_MAX = 48

/** Groups of failed calls that one minute keeps in all (about 1 KB each at most). */
export const ERROR_CELLS_PER_MINUTE_MAX = 64

/** Characters of an id that a key keeps; valid ids are shorter. */
export const KEY_PART_LENGTH_MAX = 128

/** Minutes of counts that a query reads in one call of the store (about 1 KB each). */
export const MINUTES_PAGE_DOCUMENTS = 500

/** Minutes of scores that a query reads in one call of the store (up to 80 KB each). */
export const SCORE_MINUTES_PAGE_DOCUMENTS = 60

/** Minutes of decisions that a query reads in one call of the store (up to 80 KB each). */
export const DECISION_MINUTES_PAGE_DOCUMENTS = 60

/** Minutes that one read of decisions goes through, newest first: a week of a merchant that is busy every minute. */
export const DECISION_MINUTES_SCANNED_MAX = 10_081

/** Days that a read takes from their hours, as they can't tell what is asked for: a month. */
export const DAYS_BY_HOURS_MAX = 31

/** Minutes of failed calls that a query reads in one call of the store (up to 150 KB each). */
export const ERROR_MINUTES_PAGE_DOCUMENTS = 30

/** Minutes with failed calls that one read of samples goes through, newest first. */
export const ERROR_MINUTES_SCANNED_MAX = 2_000

/** Payments that a search reads in one call of the store (about 2 KB each, up to {@link TIMELINE_TEXT_LENGTH_MAX}). */
export const PAYMENTS_PAGE_DOCUMENTS = 200

/** Minutes that one read of counts goes through, newest first: 31 days of a merchant that is busy every minute. */
export const MINUTES_SCANNED_MAX = 44_640

/** Minutes that one read of scores goes through, newest first: a week of a merchant that is busy every minute. */
export const SCORE_MINUTES_SCANNED_MAX = 10_081

/** Payments that one search goes through, newest first. */
export const PAYMENTS_SCANNED_MAX = 20_000

/** Points that a series of one answer has at most. */
export const SERIES_POINTS_MAX = 10_000

/** Characters of a message that a timeline or an error group keeps. */
export const MESSAGE_LENGTH_MAX = 1_000

/** Parameters of a rule evaluation that its timeline entry keeps. */
export const PARAMETERS_MAX = 50

/** Characters of one such parameter. */
export const PARAMETER_LENGTH_MAX = 200

/** Payments behind the end of a window that a search looks through for those that began before it. */
export const SPANNING_SCANNED_MAX = 5_000

/** Groups of one kind that an answer tells apart before it counts the rest as cut off. */
export const GROUPS_PER_ANSWER_MAX = 5_000

/** Keys of one merchant whose last use is read; more than a merchant's list shows. */
export const KEY_USES_READ_MAX = 4_000

/** Values of one dimension that an experiment tells apart; the rest is one group. */
export const SEGMENT_VALUES_MAX = 20

/** Currencies that an experiment adds up amounts of: more than ISO 4217 has. */
export const CURRENCIES_PER_TALLY_MAX = 200

/** Values of one dimension that are offered to filter by. */
export const VALUES_PER_DIMENSION_MAX = 1_000

/** Characters of JSON that the journal of changes keeps of one value. */
export const CHANGE_VALUE_LENGTH_MAX = 65_536

/** Members that the journal tells of one change. */
export const CHANGED_FIELDS_MAX = 20

/** Changes that a read takes from the store in one call. */
export const CHANGES_PAGE_DOCUMENTS = 20

/** Changes that one read goes through, newest first. */
export const CHANGES_SCANNED_MAX = 5_000

/** Gateways whose newest scores are held against each other. */
export const LEADER_GATEWAYS_MAX = 50

/** Groups of payments with windows of their own that one payment method tells leaders of; the one heard of longest ago goes first. */
export const LEADER_WINDOWS_MAX = 64

/** Routing events that are kept of one payment method, the newest. */
export const ROUTING_EVENTS_MAX = 500

/** Payment methods whose routing events one read goes through. */
export const ROUTING_METHODS_SCANNED_MAX = 500

/** Payment methods whose routing events a read takes from the store in one call (up to 300 KB each). */
export const ROUTING_METHODS_PAGE_DOCUMENTS = 20

/** Groups of payments that one minute tells the self-tuning of. */
export const TRAFFIC_CLUSTERS_PER_MINUTE_MAX = 128

/** Further groups of such a minute, of payments that it has no room to tell apart by more than their method. */
export const TRAFFIC_COARSE_PER_MINUTE_MAX = 32

/** Gateways of which one such group keeps the outcomes; more than a request may name would never be seen. */
export const TRAFFIC_GATEWAYS_PER_CLUSTER_MAX = 100

/** Minutes of traffic that a query reads in one call of the store (up to 125 KB each). */
export const TRAFFIC_MINUTES_PAGE_DOCUMENTS = 60

/** Minutes of traffic that one read goes through, newest first: a day of a merchant that is busy every minute. */
export const TRAFFIC_MINUTES_SCANNED_MAX = 1_441

/** Runs of the self-tuning that a read takes from the store in one call (up to 300 KB each). */
export const CALIBRATION_RUNS_PAGE_DOCUMENTS = 20

/** Runs of the self-tuning that one read goes through, newest first: three weeks of one every fifteen minutes. */
export const CALIBRATION_RUNS_SCANNED_MAX = 2_100

/** Groups of such runs that one read gives. */
export const CALIBRATIONS_READ_MAX = 5_000

/** Weighed payments that one read of savings goes through, newest first. */
export const COST_CHOICES_SCANNED_MAX = 100_000

/** Weighed payments that a read takes from the store in one call. */
export const COST_CHOICES_PAGE_DOCUMENTS = 500
