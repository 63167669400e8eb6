/** Largest body of a route with a JSON body, in bytes. */
export const JSON_BODY_BYTES_MAX: number = 2 * 1024 * 1024

/** Largest body of a hot route, in bytes. */
export const RAW_JSON_BODY_BYTES_MAX: number = 256 * 1024

/** Largest body that is read by the shape of those before it, in bytes; a shape holds on to a few of them. */
export const SHAPED_BODY_BYTES_MAX: number = 4 * 1024

/** Largest body of a route that reads it as a stream, in bytes. */
export const STREAMED_BODY_BYTES_MAX: number = 64 * 1024 * 1024

/** How much of a streamed answer waits for a client that does not read, in bytes, before the making of it waits, too. */
export const STREAMED_REPLY_BUFFER_BYTES_MAX: number = 16 * 1024 * 1024

/** How long nothing of an answer that waits may be read, in milliseconds, before the connection is cut. */
export const REPLY_SILENCE_MAX_MS = 60_000

/** How long a client may keep its side of a connection open whose request could not be read, in milliseconds, so that it gets to read why. */
export const REFUSED_LINGER_MS = 5_000

/** How many bytes of a refused body are read and thrown away, so that the client sees the answer, before the connection is cut. */
export const DISCARDED_BODY_BYTES_MAX: number = 8 * 1024 * 1024

/** Bytes of a body that there is room for however many others come at the same time. */
export const SMALL_BODY_BYTES_MAX: number = 64 * 1024

/** What is behind them of all bodies that a thread is collecting, in bytes: once for callers that are known, once for the others. */
export const LARGE_BODIES_BYTES_MAX: number = 64 * 1024 * 1024

/** Deepest nesting of a JSON body; everything behind may recurse. */
export const JSON_DEPTH_MAX = 200

/** Longest request id that is echoed, in characters. */
export const REQUEST_ID_LENGTH_MAX = 128

/** Verified session tokens that are remembered. */
export const VERIFIED_TOKEN_COUNT_MAX = 10_000

/** API keys that are remembered with what they open, 150 bytes each. */
export const KNOWN_KEY_COUNT_MAX = 200_000

/** Credentials of a class of routes whose requests are counted; the oldest makes room. */
export const LIMITED_CREDENTIAL_COUNT_MAX = 10_000

/** Longest session token that is looked at, in characters. */
export const TOKEN_LENGTH_MAX = 8_192

/** Shortest secret that signs session tokens, in bytes. */
export const TOKEN_SECRET_BYTES_MIN = 32

/** Accounts or addresses whose attempts are counted; the one that was not seen for longest makes room. */
export const COUNTED_ATTEMPT_KEYS_MAX = 100_000

/** Password checks that may wait for a thread; more are refused. */
export const PASSWORD_CHECKS_IN_FLIGHT_MAX = 32

/** All header lines of a request together, in bytes. */
export const HEADER_BYTES_MAX: number = 16 * 1024

/** Until the headers of a request must be complete, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 10_000

/** Until a whole request must be complete, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 60_000

/** Until a body that may be large must be complete, in milliseconds. */
export const LONG_UPLOAD_MAX_MS = 21_600_000

/** How long nothing of such a body may come, in milliseconds. */
export const LONG_UPLOAD_SILENCE_MAX_MS = 60_000

/** How long an idle connection is kept, in milliseconds; longer than the minute that load balancers keep theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** Requests that may wait for the position of their header `x-min-log-position` at the same time; more are refused. */
export const POSITION_HEADER_WAITS_MAX = 500

/** How often {@link HEADERS_TIMEOUT_MS} and {@link REQUEST_TIMEOUT_MS} are checked, in milliseconds. */
export const CONNECTION_CHECK_INTERVAL_MS = 5_000

/** Connections at the same time. */
export const CONNECTION_COUNT_MAX = 10_000

/** How long `close` lets running requests finish before it cuts their connections, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 5_000

/** Largest request that is read without node:http, head and body together, in bytes. */
export const PLAIN_REQUEST_BYTES_MAX: number = 64 * 1024

/** Pieces that such a request may arrive in. */
export const PLAIN_REQUEST_CHUNK_COUNT_MAX = 8

/** How long the rest of such a request may take, in milliseconds, before node:http waits for it with timeouts of its own. */
export const PLAIN_REQUEST_TIMEOUT_MS = 1_000

/** Heads of such requests that are remembered with what they say. */
export const KNOWN_HEAD_COUNT_MAX = 256

/** Longest head that is remembered, in bytes. */
export const KNOWN_HEAD_BYTES_MAX = 1_024
