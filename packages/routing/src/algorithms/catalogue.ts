import { ENUM_VALUES } from './catalogue-values.ts'
import { COUNTRY_NAMES } from './countries.ts'
import { canonicalNetwork } from './networks.ts'

/** A key that conditions and parameters may name, and what its values are (rules.md 4). */
export type RoutingKey =
  | { readonly type: 'integer' | 'text' | 'metadata' }
  | { readonly type: 'enum' /** In served order. */; readonly values: readonly string[] }

const splitValues = (text: string): readonly string[] => text.split(',').map((value) => value.trim())

const PLAIN_KEYS: readonly (readonly [string, RoutingKey])[] = [
  ['amount', { type: 'integer' }],
  ['payment_amount', { type: 'integer' }],
  ['surcharge_amount', { type: 'integer' }],
  ['business_label', { type: 'text' }],
  ['card_bin', { type: 'text' }],
  ['extended_card_bin', { type: 'text' }],
  ['issuer_name', { type: 'text' }],
  ['metadata', { type: 'metadata' }],
]
const COUNTRY_KEYS: readonly string[] = ['billing_country', 'business_country', 'issuer_country']

/** All keys in ascending order. */
export const ROUTING_KEYS: ReadonlyMap<string, RoutingKey> = new Map(
  [
    ...PLAIN_KEYS,
    ...COUNTRY_KEYS.map((key) => [key, { type: 'enum', values: COUNTRY_NAMES }] as const),
    ...Object.entries(ENUM_VALUES).map(([key, values]) => [key, { type: 'enum', values: splitValues(values) }] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1)),
)

/** For each enum key the canonical value of each spelling, exact ones before those in lower case. */
const CANONICAL_VALUES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  [...ROUTING_KEYS].flatMap(([key, routingKey]) =>
    routingKey.type === 'enum' ? [[key, new Map([...routingKey.values.map(lowerCased), ...routingKey.values.map(asIs)])] as const] : [],
  ),
)

function lowerCased(value: string): readonly [string, string] {
  return [value.toLowerCase(), value]
}
function asIs(value: string): readonly [string, string] {
  return [value, value]
}

/**
 * The catalogue's spelling of an enum value: exact match first, then whatever the case (rules.md S8); card networks by
 * their canonical name (Q14). Undefined when the key has no such value or is no enum key.
 */
export const canonicalValue = (key: string, value: string): string | undefined => {
  if (key === 'card_network') return canonicalNetwork(value)
  const values = CANONICAL_VALUES.get(key)
  return values?.get(value) ?? values?.get(value.toLowerCase())
}
