import { createSpellings, type Spellings } from './spellings.ts'

/** Bounds of a number; null where there is none. */
export interface NumberBounds {
  readonly minValue: number | null
  readonly maxValue: number | null
}

/** Bounds of a text; lengths in bytes of UTF-8, null where there is none. */
export interface TextBounds {
  readonly minLength: number | null
  readonly maxLength: number | null
  /** Counts instead of the two others. */
  readonly exactLength: number | null
  /** Source of a regular expression that the text has to match. */
  readonly regex: string | null
}

/** A key that conditions and parameters may name, and what its values are (rules.md 4). */
export type RoutingKey =
  | ({ readonly type: 'integer' } & NumberBounds)
  | ({ readonly type: 'text' | 'metadata' } & TextBounds)
  | { readonly type: 'enum' /** In served order. */; readonly values: readonly string[] }
  | { readonly type: 'globalRef' }

/** The vocabulary of rules: data of the deployment, the same for all merchants. */
export interface Catalogue {
  /** In ascending order of their names. */
  readonly keys: ReadonlyMap<string, RoutingKey>
  /**
   * What an enum value is compared by: exact match first, then whatever the case (rules.md S8); card networks by their
   * canonical name (Q14). Undefined when the key has no such value or is no enum key.
   */
  readonly canonicalValue: (key: string, value: string) => string | undefined
  /** The catalogue's own spelling of an enum value: what is stored and shown. */
  readonly listedValue: (key: string, value: string) => string | undefined
}

const ascending = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** A catalogue of these keys. */
export const createCatalogue = (keys: Iterable<readonly [string, RoutingKey]>): Catalogue => {
  const sorted = new Map([...keys].sort(ascending))
  const spellings = new Map<string, Spellings>()
  for (const [key, routingKey] of sorted) if (routingKey.type === 'enum') spellings.set(key, createSpellings(key, routingKey.values))
  return {
    keys: sorted,
    canonicalValue: (key, value) => spellings.get(key)?.canonical(value),
    listedValue: (key, value) => spellings.get(key)?.listed(value),
  }
}
