import { checkValue, wholeNumberOf } from '@switchyard/http'
import { ID_LENGTH_MAX, NAME_LENGTH_MAX } from '@switchyard/kernel'
import { ALGORITHM_COUNT_MAX, type Algorithm, type Arm, type KnownPurpose, SUCCESS_RATE_ROUTING } from '@switchyard/routing'
import * as z from 'zod'
import { algorithmSchema, RULE_ALIASES } from './algorithm-wire.ts'
import { isDotSegment } from './identifiers.ts'

/** Longest description of an algorithm, in characters. */
const DESCRIPTION_LENGTH_MAX = 2000
/** Longest metadata of an algorithm, in characters of its JSON text. */
const METADATA_LENGTH_MAX: number = 64 * 1024
/** Algorithms in a list when the request does not say: all that a merchant can have. */
const LIST_LIMIT_DEFAULT: number = ALGORITHM_COUNT_MAX
/** Most algorithms in a list. */
export const LIST_LIMIT_MAX: number = ALGORITHM_COUNT_MAX

/** Body of `/routing/create`. */
export interface CreateRequest {
  readonly merchantId: string
  readonly name: string
  readonly description: string
  readonly purpose: KnownPurpose
  readonly algorithm: Algorithm
  /** JSON text. */
  readonly metadata: string | null
  /** Chosen by the caller; null: make one. */
  readonly algorithmId: string | null
}

/** Body of `/routing/update`. */
export interface UpdateRequest {
  readonly merchantId: string
  readonly algorithmId: string
  readonly name: string
  readonly description: string
  readonly algorithm: Algorithm
}

/** Body of the operations that only name an algorithm. */
export interface AlgorithmReference {
  readonly merchantId: string
  readonly algorithmId: string
}

/** What is asked for, or where the body does not fit and why. */
export type RequestBody<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly path: string; readonly detail: string }

const PURPOSES = {
  payment: 'PAYMENT',
  payout: 'PAYOUT',
  three_ds_authentication: 'THREE_DS_AUTHENTICATION',
} as const satisfies Readonly<Record<string, KnownPurpose>>

const PURPOSE_WORDS: Readonly<Record<KnownPurpose, string>> = {
  PAYMENT: 'payment',
  PAYOUT: 'payout',
  THREE_DS_AUTHENTICATION: 'three_ds_authentication',
}

/** The interface's word of a purpose. */
export const printPurpose = (purpose: KnownPurpose): string => PURPOSE_WORDS[purpose]

const nameSchema = z.string().max(NAME_LENGTH_MAX)
const descriptionSchema = z.string().max(DESCRIPTION_LENGTH_MAX)
/** An id that the caller chose: the reserved one would be a name that no arm of an experiment could mean. */
const chosenIdSchema = z
  .string()
  .min(1)
  .max(ID_LENGTH_MAX)
  .refine((id) => id !== SUCCESS_RATE_ROUTING, `must not be ${SUCCESS_RATE_ROUTING}, which names routing by success rates`)
  .refine((id) => !isDotSegment(id), 'must not be . or .., which no path can name')

/** The JSON text of what the client wants to keep. */
const metadataText = (metadata: unknown): string | null => (metadata === undefined || metadata === null ? null : JSON.stringify(metadata))

/** What {@link parseCreate} reads. */
export const createSchema: z.ZodType<CreateRequest> = z
  .object({
    name: nameSchema,
    created_by: z.string(),
    description: descriptionSchema.nullish(),
    algorithm_for: z.enum(['payment', 'payout', 'three_ds_authentication']).default('payment'),
    algorithm: algorithmSchema,
    metadata: z
      .unknown()
      .optional()
      .refine(
        (metadata) => (metadataText(metadata)?.length ?? 0) <= METADATA_LENGTH_MAX,
        `expected at most ${METADATA_LENGTH_MAX} characters of JSON`,
      ),
    rule_id: chosenIdSchema.nullish(),
  })
  .transform(({ name, created_by, description, algorithm_for, algorithm, metadata, rule_id }) => ({
    merchantId: created_by,
    name,
    description: description ?? '',
    purpose: PURPOSES[algorithm_for],
    algorithm,
    metadata: metadataText(metadata),
    algorithmId: rule_id ?? null,
  }))

/** What {@link parseUpdate} reads. */
export const updateSchema: z.ZodType<UpdateRequest> = z
  .object({
    created_by: z.string(),
    routing_algorithm_id: z.string(),
    name: nameSchema,
    description: descriptionSchema.default(''),
    algorithm: algorithmSchema,
  })
  .transform(({ created_by, routing_algorithm_id, name, description, algorithm }) => ({
    merchantId: created_by,
    algorithmId: routing_algorithm_id,
    name,
    description,
    algorithm,
  }))

/** What {@link parseReference} reads. */
export const referenceSchema: z.ZodType<AlgorithmReference> = z
  .object({ created_by: z.string(), routing_algorithm_id: z.string() })
  .transform(({ created_by, routing_algorithm_id }) => ({ merchantId: created_by, algorithmId: routing_algorithm_id }))

/** Body of `/routing/promote`. */
export interface PromoteRequest extends AlgorithmReference {
  readonly arm: Arm
}

const ARMS = { control: 'CONTROL', variant: 'VARIANT' } as const satisfies Readonly<Record<string, Arm>>

/** What {@link parsePromote} reads. */
export const promoteSchema: z.ZodType<PromoteRequest> = z
  .object({ created_by: z.string(), routing_algorithm_id: z.string(), arm: z.enum(['control', 'variant']) })
  .transform(({ created_by, routing_algorithm_id, arm }) => ({
    merchantId: created_by,
    algorithmId: routing_algorithm_id,
    arm: ARMS[arm],
  }))

/** A path like `algorithm.data.rules[2].statements[0].condition[1].comparison`. */
const pathOf = (path: readonly PropertyKey[]): string => {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return text === '' ? 'body' : text.replace(/^\./, '')
}

const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** The path with the names that the client wrote. */
const sentPath = (path: readonly PropertyKey[], body: unknown): readonly PropertyKey[] => {
  let holder = body
  return path.map((part) => {
    const alias = RULE_ALIASES.get(part) ?? part
    const name = memberOf(holder, part) === undefined && memberOf(holder, alias) !== undefined ? alias : part
    holder = memberOf(holder, name)
    return name
  })
}

const parse = <Value>(schema: z.ZodType<Value>, body: unknown): RequestBody<Value> => {
  const result = checkValue(schema, body)
  if (result.success) return { ok: true, value: result.data }
  const [issue] = result.error.issues
  return { ok: false, path: pathOf(sentPath(issue?.path ?? [], body)), detail: issue?.message ?? 'wrong shape' }
}

/** Reads the body of `/routing/create` (rules.md 2.1). */
export const parseCreate = (body: unknown): RequestBody<CreateRequest> => parse(createSchema, body)

/** Reads the body of `/routing/update` (rules.md 3.2). */
export const parseUpdate = (body: unknown): RequestBody<UpdateRequest> => parse(updateSchema, body)

/** Reads `{created_by, routing_algorithm_id}`. */
export const parseReference = (body: unknown): RequestBody<AlgorithmReference> => parse(referenceSchema, body)

/** Reads `{created_by, routing_algorithm_id, arm}`. */
export const parsePromote = (body: unknown): RequestBody<PromoteRequest> => parse(promoteSchema, body)

/** Part of a list. */
export interface Page {
  readonly offset: number
  readonly limit: number
}

/** Reads the optional `limit` and `offset` of a list; undefined when one is no whole number or the limit is too high. */
export const parsePage = (query: URLSearchParams): Page | undefined => {
  const offset = wholeNumberOf(query, 'offset', 0)
  const limit = wholeNumberOf(query, 'limit', LIST_LIMIT_DEFAULT)
  return offset === undefined || limit === undefined || limit > LIST_LIMIT_MAX ? undefined : { offset, limit }
}
