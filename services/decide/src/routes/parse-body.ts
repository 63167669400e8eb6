import { checkValue } from '@switchyard/http'
import type { z } from 'zod'

/** What a body says, or what is wrong with it; the problem names the member and never repeats its value. */
export type ParsedBody<Value> = { readonly value: Value; readonly problem?: never } | { readonly value?: never; readonly problem: string }

/** The member at a path, however wrong the body is. */
const memberAt = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((member, name) => (typeof member === 'object' && member !== null ? Reflect.get(member, name) : undefined), body)

/** As callers write it: `a[2].b`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`
    return joined === '' ? String(part) : `${joined}.${String(part)}`
  }, '')

/** Reads a body by its schema; the first problem counts. Null and missing are the same. */
export const parseBody = <Schema extends z.ZodType>(schema: Schema, body: unknown): ParsedBody<z.output<Schema>> => {
  const parsed = checkValue(schema, body)
  if (parsed.success) return { value: parsed.data }
  const [issue] = parsed.error.issues
  if (issue === undefined || issue.path.length === 0) return { problem: 'invalid type: expected an object' }
  const name = pathOf(issue.path)
  const isMissing = (memberAt(body, issue.path) ?? null) === null
  return { problem: isMissing ? `missing field \`${name}\`` : `invalid value of field \`${name}\`: ${issue.message}` }
}
