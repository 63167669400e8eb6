import type { ProjectorLimits } from '@switchyard/runtime'
import { DEFAULT_DISPATCH_LIMITS, type DispatchLimits } from '@switchyard/webhooks'

/** How often a command on a chain is decided before it is given up as a conflict. */
export const DECIDE_ATTEMPTS_MAX = 5

/** How long events wait for the log, milliseconds; they may come to stand in it later. */
export const APPEND_MAX_MS = 5_000

/** How long somebody who is to be answered waits for a document while the read store is away, milliseconds. */
export const VIEW_MAX_MS = 5_000

/** Manual retries of one merchant in a second (webhooks.md 17). */
export const MANUAL_RETRIES_PER_SECOND_MAX = 10

/** Manual retries that may be under way at the same time. */
export const MANUAL_RETRIES_UNDER_WAY_MAX = 512

/** Of these, those of one merchant: an endpoint that hangs must not take the places of others. */
export const MANUAL_RETRIES_PER_MERCHANT_MAX = 128

/** Pings to endpoints that may be under way at the same time: they are recorded nowhere, but each has a connection. */
export const PINGS_UNDER_WAY_MAX = 128

/** Of these, those of one merchant. */
export const PINGS_PER_MERCHANT_MAX = 32

/** What an endpoint has at least to answer in, however long the start of the attempt waited for the log, milliseconds. */
export const ATTEMPT_MS_MIN = 1_000

/** How often it is looked which endpoints have something due, milliseconds. */
export const DUE_CHECK_INTERVAL_MS = 50

/** Automatic retries that one process starts in a second: a third of what it can send, so that new events find time. */
export const RETRIES_PER_SECOND_MAX = 300

/** Attempts that wait and that are under way: few wait, the others stand in the index. */
export const DISPATCH_LIMITS: DispatchLimits = { ...DEFAULT_DISPATCH_LIMITS, waitingPerEndpointMax: 128, waitingPerLaneMax: 50_000 }

/** Chains that one look at an index gives: more than an endpoint can have waiting and under way, so that there is one that has not. */
export const DUE_PAGE_COUNT: number = DISPATCH_LIMITS.waitingPerEndpointMax + 128

/** How long an endpoint's due chains are left alone after a look for them has failed, milliseconds. */
export const DUE_RETRY_MS = 1_000

/** What was sent and answered, of all attempts in one answer, bytes of JSON: those of a whole schedule fit, of the largest event too. */
export const ATTEMPTS_BYTES_MAX: number = 8 * 1024 * 1024

/** Attempts of such an answer that are decrypted at the same time. */
export const ATTEMPTS_AT_ONCE = 10

/** Documents of one page of a scan. */
export const SCAN_PAGE_COUNT = 500

/** Attempts of a recovery in a second, when its endpoint names no other number. */
export const RECOVERY_PER_SECOND_DEFAULT = 20

/** Attempts of one recovery that are under way at the same time, unless an endpoint takes fewer. */
export const RECOVERY_CONCURRENCY = 4

/**
 * Few documents at a time are kept: bodies may have 256 KiB. A chain and an attempt change two or three times within the time that an
 * endpoint takes to answer: they are stored once for all of it, sooner only for who reads them from the store.
 */
export const PROJECTION_LIMITS: ProjectorLimits = {
  sliceCountMax: 200,
  dirtyCountMax: 2_500,
  cachedCountMax: 5_000,
  cachedBytesMax: 64 * 1024 * 1024,
  flushDelayMs: 400,
  awaitedFlushDelayMs: 50,
  gatherMs: 0,
}

/** Largest event that comes by a topic, bytes: as over HTTP (webhooks.md 9.2). */
export const INBOUND_EVENT_BYTES_MAX: number = 256 * 1024

/** Events of one batch of the topic that are taken at the same time. */
export const INBOUND_GROUP_COUNT = 100

/** Recoveries whose beginning was not seen in the log yet. */
export const RECOVERIES_AWAITED_MAX = 1_000

/** How long a recovery waits when log or store are away, milliseconds. */
export const RECOVERY_RETRY_MS = 1_000

/**
 * How often it is looked for recoveries that come no further, because the process that carried them out was killed, milliseconds. Longer
 * than any endpoint may take to answer: one whose attempts are under way is left alone.
 */
export const RECOVERY_LOOK_MS = 60_000

/** How long attempts that are under way are waited for at the end of the process, milliseconds; others are recovered by the next one. */
export const DRAIN_MAX_MS = 5_000
