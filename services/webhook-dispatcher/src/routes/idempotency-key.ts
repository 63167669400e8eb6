import type { RouteRequest } from '@switchyard/http'

const KEY = /^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/

/** The header `Idempotency-Key`: null when it is absent, undefined when it is none (webhooks.md 8 and 9.2). */
export const idempotencyKeyOf = ({ headers }: Pick<RouteRequest, 'headers'>): string | null | undefined => {
  const value = headers['idempotency-key']
  if (value === undefined) return null
  return typeof value === 'string' && KEY.test(value) ? value : undefined
}
