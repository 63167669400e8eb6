import type { z } from 'zod'
import { platformError } from '../errors.ts'
import type { RouteReply } from '../route.ts'
import { checkValue } from './check-value.ts'

/** A body of the right shape, or the answer to one that is not. */
export type ParsedBody<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reply: RouteReply }

/** As callers write it: `a[2].b`. */
const pathOf = (path: readonly PropertyKey[]): string => {
  if (path.length === 0) return 'body'
  return path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`
    return joined === '' ? String(part) : `${joined}.${String(part)}`
  }, '')
}

/** The 422 of platform.md 1.1: `field` is the path of the wrong field, `detail` what is wrong with it. */
export const wrongShape = (field: string, detail: string): RouteReply =>
  platformError(422, 'TE_03', `Failed to deserialize the JSON body into the target type: ${field}: ${detail}`)

/**
 * Checks a body against a schema.
 *
 * @example
 * const parsed = parseBody(createKeyBody, request.body)
 * if (!parsed.ok) return parsed.reply
 */
export const parseBody = <Value>(schema: z.ZodType<Value>, body: unknown): ParsedBody<Value> => {
  const result = checkValue(schema, body)
  if (result.success) return { ok: true, value: result.data }
  const [issue] = result.error.issues
  return { ok: false, reply: wrongShape(pathOf(issue?.path ?? []), issue?.message ?? 'wrong shape') }
}
