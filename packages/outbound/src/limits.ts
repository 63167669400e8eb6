/** Characters of an endpoint's URL. */
export const URL_LENGTH_MAX = 2_048

/** From the lookup of the name to the end of the TLS handshake, milliseconds. */
export const CONNECT_TIMEOUT_MS = 5_000

/**
 * For the connection to one of several addresses, milliseconds, before the next is tried and this one given up: a far endpoint, and one
 * whose first packet is lost, must have time to answer.
 */
export const CONNECT_ATTEMPT_TIMEOUT_MS = 1_500

/** Addresses of one name that are looked at. */
export const ADDRESSES_PER_NAME_MAX = 16

/** For one question to a name server, milliseconds; {@link DNS_TRIES} of them take less than {@link CONNECT_TIMEOUT_MS}. */
export const DNS_TIMEOUT_MS = 1_500
/** Questions for one record. */
export const DNS_TRIES = 2

/**
 * For addresses of the other kind, once there are some of one, milliseconds. Those of IPv4 are asked for a second time meanwhile: where there is
 * no way by IPv6 nothing else leads to the endpoint, and the packet may be lost.
 */
export const DNS_OTHER_KIND_MS: Readonly<Record<'v4' | 'v6', number>> = { v4: DNS_TIMEOUT_MS + 300, v6: 300 }

/** Bytes of an answer's headers. */
export const ANSWER_HEADER_BYTES_MAX = 16_384

/** Informational answers before the one that counts; an endpoint that sends more would keep the process busy until the deadline. */
export const INFORMATIONAL_ANSWERS_MAX = 32

/** Bytes of an answer's body that are read and kept; the connection ends there. */
export const ANSWER_BODY_BYTES_MAX = 65_536

/** How long a connection is kept without a request, milliseconds. */
export const IDLE_MS_MAX = 10_000

/** Connections without a request that are kept for one endpoint: as many as it may have requests at a time. */
export const IDLE_PER_ENDPOINT_MAX = 64

/** Connections without a request that are kept for all endpoints. */
export const IDLE_COUNT_MAX = 1_024

/** Ranges that a deployment may allow. */
export const ALLOWED_RANGES_MAX = 64

/** How long a large answer may be silent, milliseconds, before its headers and between its pieces (cost.md 3.3). */
export const FETCH_SILENCE_MAX_MS = 120_000
