/** A header as it stands on the wire: name and value. A repeated name is a repeated pair. */
export type HeaderPair = readonly [name: string, value: string]

/** One POST to an endpoint that somebody else runs. */
export interface OutboundRequest {
  /** Connections are kept for requests with the same id and origin only. */
  readonly endpointId: string
  readonly url: string
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
  /** For all of it: name, connection, TLS, headers and body of the answer. */
  readonly timeoutMs: number
}

/** What the rules for addresses refuse. */
export type UrlRule =
  | 'url_unreadable'
  | 'url_too_long'
  | 'scheme_not_allowed'
  | 'user_info_not_allowed'
  | 'fragment_not_allowed'
  | 'port_not_allowed'
  | 'blocked_address'

/** How far a request came. */
export type OutboundPhase = 'dns' | 'connect' | 'tls' | 'answer'

/** The endpoint answered; whether that is a success is for the sender to say. */
export interface OutboundAnswer {
  readonly kind: 'answered'
  /** 200..599. */
  readonly status: number
  /** As received, in order; a value that is not ASCII is a `data:;base64,` URL of its bytes. */
  readonly headers: readonly HeaderPair[]
  /** As received, never unpacked; bytes that are not UTF-8 are a `data:;base64,` URL. */
  readonly body: string
  /** How the body ended: whole, at the cap, at the deadline, or with the connection. */
  readonly bodyEnd: 'whole' | 'too_large' | 'timeout' | 'connection_lost'
}

/** How an {@link OutboundRequest} ended. Nothing in it tells an address or a message of the system. */
export type OutboundResult =
  | OutboundAnswer
  | { readonly kind: 'refused'; readonly rule: UrlRule }
  | { readonly kind: 'timeout'; readonly phase: OutboundPhase }
  | { readonly kind: 'dns_error' }
  | { readonly kind: 'connection_refused' }
  | { readonly kind: 'network_unreachable' }
  | { readonly kind: 'connection_reset' }
  | { readonly kind: 'tls_error' }
  /** What came back is not HTTP, has a status outside 200..599, or headers beyond the bound. */
  | { readonly kind: 'invalid_response' }

/** What came of an {@link OutboundRequest}, and how long it took. */
export type OutboundOutcome = OutboundResult & { readonly latencyMs: number }

/**
 * Sends one request. A deadline, a refusal and a broken connection are outcomes; it rejects only when the headers can't be sent at all,
 * which is a fault of the caller.
 */
export type SendRequest = (request: OutboundRequest) => Promise<OutboundOutcome>

/** A request whose answer may be large. */
export interface FetchRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: readonly HeaderPair[]
  /** Only of a POST. */
  readonly body?: string
  /** Breaks it off, whatever it waits for; rejects with the reason. */
  readonly signal?: AbortSignal
}

/** An answer that is read piece by piece; whoever does not read it to its end has to break off. */
export interface FetchedStream {
  readonly kind: 'answered'
  readonly status: number
  /** Rejects when the connection is lost, or silent for too long. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** What came of a {@link FetchRequest}. */
export type FetchResult = FetchedStream | Exclude<OutboundResult, { readonly kind: 'answered' }>

/** Sends a request under all rules of addresses, on a connection of its own; redirections are answers like others. */
export type FetchStream = (request: FetchRequest) => Promise<FetchResult>
