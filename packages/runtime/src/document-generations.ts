import { type CachedDocument, measure } from './cached-document.ts'

/** Documents by id in two generations: what is used moves to the younger one, and the older one leaves as a whole. */
export interface Generations<Input> {
  readonly get: (id: string) => CachedDocument<Input> | undefined
  /** Also for one that is there already: from now on it counts with what it takes now. */
  readonly add: (document: CachedDocument<Input>) => void
  readonly delete: (id: string) => void
  readonly deleteAll: (isGone: (document: CachedDocument<Input>) => boolean) => void
  /** Lets the older generation go when the younger one is large enough; the `kept` stay. */
  readonly age: (kept: Iterable<CachedDocument<Input>>) => void
}

/** How much both generations hold at most, about, beside documents that are kept. */
interface GenerationsLimits {
  readonly countMax: number
  /** Memory of the views. */
  readonly bytesMax: number
}

/** Within these limits; a hit costs a look-up, unlike an exact order of use. */
export const createGenerations = <Input>({ countMax, bytesMax }: GenerationsLimits): Generations<Input> => {
  let young = new Map<string, CachedDocument<Input>>()
  let old = new Map<string, CachedDocument<Input>>()
  let youngBytes = 0

  const bytesOf = (id: string): number => young.get(id)?.bytes ?? 0
  const putYoung = (document: CachedDocument<Input>): void => {
    youngBytes += document.bytes
    young.set(document.id, document)
  }
  const remove = (id: string): void => {
    youngBytes -= bytesOf(id)
    young.delete(id)
    old.delete(id)
  }

  return {
    get: (id) => {
      const found = young.get(id)
      if (found !== undefined) return found
      const rescued = old.get(id)
      if (rescued !== undefined) putYoung(rescued)
      return rescued
    },
    add: (document) => {
      youngBytes -= bytesOf(document.id)
      measure(document)
      putYoung(document)
    },
    delete: remove,
    deleteAll: (isGone) => {
      for (const generation of [young, old]) for (const [id, document] of generation) if (isGone(document)) remove(id)
    },
    age: (kept) => {
      if (young.size <= countMax / 2 && youngBytes <= bytesMax / 2) return
      old = young
      young = new Map()
      youngBytes = 0
      for (const document of kept) putYoung(document)
    },
  }
}
