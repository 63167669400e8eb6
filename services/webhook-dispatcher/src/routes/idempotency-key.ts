import type { RouteRequest } from '@switchyard/http'

const KEY = /^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/

/** The value of a header `Idempotency-Key`: null when it is absent, undefined when it is none (webhooks.md 8 and 9.2). */
export const idempotencyKeyIn = (value: string | readonly string[] | undefined): string | null | undefined => {
  if (value === undefined) return null
  return typeof value === 'string' && KEY.test(value) ? value : undefined
}

/** {@link idempotencyKeyIn} a request. */
export const idempotencyKeyOf = ({ headers }: Pick<RouteRequest, 'headers'>): string | null | undefined =>
  idempotencyKeyIn(headers['idempotency-key'])
