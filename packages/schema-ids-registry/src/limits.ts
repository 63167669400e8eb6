/** Schemas that are remembered beside the published ones; beyond it the oldest is asked for again. */
export const SCHEMAS_LEARNT_MAX = 1_000

/** Ids that the registry does not know are asked for again after this time, milliseconds; and how many are remembered. */
export const UNKNOWN_AGE_MAX_MS = 60_000
export const UNKNOWN_COUNT_MAX = 10_000

/**
 * How long an id that may just have been given is asked for, milliseconds: instances of a registry hear of a new schema one after the other. And
 * how far above the ids of our own schemas such ids are: whoever wrote any other number would hold up every reader.
 */
export const NEW_ID_AWAITED_MAX_MS = 2_000
export const NEW_ID_DISTANCE_MAX = 1_000

/** Largest id that a registry gives. Asked for more, some answer as if they were away: whoever wrote that number would hold up every reader. */
export const SCHEMA_ID_MAX = 0x7fff_ffff

/** How long one answer of the registry may take, milliseconds. */
export const ANSWER_MAX_MS = 5_000

/** How long a registry that is away is waited for before a tail that needs it fails, milliseconds. */
export const REGISTRY_AWAY_MAX_MS = 60_000

/** How long opening waits for it, milliseconds: whoever opens says that it is away, and asks again. */
export const OPENING_AWAY_MAX_MS = 5_000

/** How many schemas a start asks for at a time. */
export const LOOKUPS_AT_ONCE = 8

/** First and longest pause between two attempts, milliseconds. */
export const RETRY_FIRST_MS = 50
export const RETRY_MAX_MS = 2_000

/**
 * How often in a row a conflict may be that of several processes which register the same schemas at once. Not a time: a
 * process that starts beside others may stand still for seconds between two attempts.
 */
export const REGISTRATION_RACES_MAX = 6

/** How much of a registry's own words an error repeats, characters. */
export const ANSWER_SHOWN_MAX_CHARS = 300
