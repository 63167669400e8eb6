const SECONDS = /^\d{1,9}(\.\d{1,9})?$/
/** The three forms of a date in HTTP (RFC 9110, 5.6.7); all of them are in UTC. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}(, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT| [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/
const STATUSES: ReadonlySet<number> = new Set([429, 503])

/** What an endpoint answered, as far as the schedule looks at it. */
export interface AskedToWait {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * The moment before which an endpoint that answered at `atMs` does not want to be asked again: its `Retry-After` with 429 or 503, in
 * seconds (also with a fraction) or as a date. Anything else says nothing.
 */
export const retryAfterMs = ({ status, headers }: AskedToWait, atMs: number): number | undefined => {
  if (!STATUSES.has(status)) return undefined
  const text = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim()
  if (text === undefined) return undefined
  if (SECONDS.test(text)) return atMs + Math.round(Number(text) * 1000)
  if (!HTTP_DATE.test(text)) return undefined
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : date
}
