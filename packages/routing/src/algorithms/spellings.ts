import { canonicalNetwork } from './networks.ts'

/** The key whose values are spellings of card networks. */
const NETWORK_KEY = 'card_network'

/** The spellings that an enum key accepts; both answers are undefined for what is no value of the key. */
export interface Spellings {
  /** One name for all spellings of a value: what values are compared by. */
  readonly canonical: (value: string) => string | undefined
  /** The listed spelling: the value itself when it is listed, else the first listed one that means the same. */
  readonly listed: (value: string) => string | undefined
}

const firstOfEach = (entries: readonly (readonly [string, string])[]): ReadonlyMap<string, string> => new Map(entries.toReversed())

/** Whatever the case; of values that differ in case only the exact one is meant. */
const createPlainSpellings = (values: readonly string[]): Spellings => {
  const exact = new Set(values)
  const byLowerCase = firstOfEach(values.map((value) => [value.toLowerCase(), value]))
  const listed = (value: string): string | undefined => (exact.has(value) ? value : byLowerCase.get(value.toLowerCase()))
  return { canonical: listed, listed }
}

/** All spellings of a listed network are accepted; a listed value that is no network of the vocabulary is a plain one. */
const createNetworkSpellings = (values: readonly string[]): Spellings => {
  const exact = new Set(values)
  const plain = createPlainSpellings(values)
  const byNetwork = firstOfEach(values.flatMap((value) => pairOf(canonicalNetwork(value), value)))
  const listedNetwork = (value: string): string | undefined => byNetwork.get(canonicalNetwork(value) ?? '')
  const canonical = (value: string): string | undefined =>
    listedNetwork(value) === undefined ? plain.canonical(value) : canonicalNetwork(value)
  // Taking a spelling apart costs more than all the rest of a payment's parameters; nearly all are spelled as listed.
  const canonicalByListed = new Map(values.map((value) => [value, canonical(value)]))
  return {
    canonical: (value) => canonicalByListed.get(value) ?? canonical(value),
    listed: (value) => (exact.has(value) ? value : (listedNetwork(value) ?? plain.listed(value))),
  }
}

function pairOf(key: string | undefined, value: string): readonly (readonly [string, string])[] {
  return key === undefined ? [] : [[key, value]]
}

/** The spellings of an enum key with these values (rules.md S8, Q14). */
export const createSpellings = (key: string, values: readonly string[]): Spellings =>
  key === NETWORK_KEY ? createNetworkSpellings(values) : createPlainSpellings(values)
