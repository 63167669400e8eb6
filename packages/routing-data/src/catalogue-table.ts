import { fileURLToPath } from 'node:url'
import { type Catalogue, createCatalogue, type RoutingKey } from '@switchyard/routing'
import * as z from 'zod'
import { ENUM_VALUE_COUNT_MAX, KEY_COUNT_MAX, WORD_LENGTH_MAX } from './limits.ts'
import { invalidTable, parseTable, readTableFile, type TableForm } from './read-table.ts'

/** The catalogue that a deployment has when it names none. */
const CURATED = fileURLToPath(new URL('../routing-keys.csv', import.meta.url))

const WHAT = 'SWITCHYARD_ROUTING_KEYS_FILE: the catalogue of routing keys'

const number = z.union([z.literal('').transform(() => null), z.coerce.number().nonnegative('must not be negative')], 'must be a number')
const count = z.union(
  [
    z.literal('').transform(() => null),
    z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
  ],
  'must be a whole number',
)

const isRegex = (source: string): boolean => {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

const row = z
  .strictObject({
    key: z.string().min(1, 'must not be empty').max(WORD_LENGTH_MAX),
    type: z.enum(['integer', 'enum', 'udf', 'str_value', 'global_ref'], 'must be one of integer, enum, udf, str_value, global_ref'),
    min_value: number,
    max_value: number,
    min_length: count,
    max_length: count,
    exact_length: count,
    regex: z.string().max(WORD_LENGTH_MAX).refine(isRegex, 'must be a regular expression'),
    values: z
      .string()
      .transform((text) => (text === '' ? [] : text.split(',').map((value) => value.trim())))
      .refine((values) => values.length <= ENUM_VALUE_COUNT_MAX, `must be at most ${ENUM_VALUE_COUNT_MAX} values`)
      .refine((values) => values.every((value) => value !== '' && value.length <= WORD_LENGTH_MAX), 'has an empty or too long value')
      .refine((values) => new Set(values).size === values.length, 'has a value twice'),
  })
  .refine(({ type, values }) => (type === 'enum') === values.length > 0, {
    path: ['values'],
    message: 'an enum key needs values, and no other key has any',
  })
  .refine(({ min_value, max_value }) => min_value === null || max_value === null || min_value <= max_value, {
    path: ['max_value'],
    message: 'must not be below min_value',
  })
  .refine(({ min_length, max_length }) => min_length === null || max_length === null || min_length <= max_length, {
    path: ['max_length'],
    message: 'must not be below min_length',
  })

type Row = z.output<typeof row>

const FORM: TableForm<Row> = { what: WHAT, row, rowsMax: KEY_COUNT_MAX }

const routingKeyOf = ({ type, values, ...bounds }: Row): RoutingKey => {
  const text = {
    minLength: bounds.min_length,
    maxLength: bounds.max_length,
    exactLength: bounds.exact_length,
    regex: bounds.regex === '' ? null : bounds.regex,
  }
  const keys: Readonly<Record<Row['type'], RoutingKey>> = {
    integer: { type: 'integer', minValue: bounds.min_value, maxValue: bounds.max_value },
    enum: { type: 'enum', values },
    udf: { type: 'metadata', ...text },
    str_value: { type: 'text', ...text },
    global_ref: { type: 'globalRef' },
  }
  return keys[type]
}

/** Reads a catalogue from its CSV, a row for each key; throws `SETTING_INVALID` that names line, column and reason. */
const parseCatalogue = (csv: string): Catalogue => {
  const rows = parseTable(FORM, csv)
  if (rows.length === 0) throw invalidTable(WHAT, 'it has no keys')
  const keys = new Map<string, RoutingKey>()
  for (const { line, value } of rows) {
    if (keys.has(value.key)) throw invalidTable(WHAT, `line ${line}: key: ${value.key} stands there twice`)
    keys.set(value.key, routingKeyOf(value))
  }
  return createCatalogue(keys)
}

/** Loads the deployment's catalogue, or the curated one; throws `SETTING_INVALID` when it can't be used. */
export const loadCatalogue = (path: string | undefined): Catalogue =>
  parseCatalogue(readTableFile('SWITCHYARD_ROUTING_KEYS_FILE', path ?? CURATED))
