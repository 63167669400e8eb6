import type { CachedDocument } from './cached-document.ts'

/** Documents by id in two generations: what is used moves to the younger one, and the older one leaves as a whole. */
export interface Generations<Input> {
  readonly get: (id: string) => CachedDocument<Input> | undefined
  readonly add: (document: CachedDocument<Input>) => void
  readonly delete: (id: string) => void
  readonly deleteAll: (isGone: (document: CachedDocument<Input>) => boolean) => void
  /** Lets the older generation go when the younger one is large enough; the `kept` stay. */
  readonly age: (kept: Iterable<CachedDocument<Input>>) => void
}

/** At most about `countMax` documents beside those that are kept; a hit costs a look-up, unlike an exact order of use. */
export const createGenerations = <Input>(countMax: number): Generations<Input> => {
  let young = new Map<string, CachedDocument<Input>>()
  let old = new Map<string, CachedDocument<Input>>()
  return {
    get: (id) => {
      const found = young.get(id)
      if (found !== undefined) return found
      const rescued = old.get(id)
      if (rescued !== undefined) young.set(id, rescued)
      return rescued
    },
    add: (document) => {
      young.set(document.id, document)
    },
    delete: (id) => {
      young.delete(id)
      old.delete(id)
    },
    deleteAll: (isGone) => {
      for (const generation of [young, old]) for (const [id, document] of generation) if (isGone(document)) generation.delete(id)
    },
    age: (kept) => {
      if (young.size <= countMax / 2) return
      old = young
      young = new Map()
      for (const document of kept) young.set(document.id, document)
    },
  }
}
