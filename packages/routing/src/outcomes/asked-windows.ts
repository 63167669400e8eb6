import type { ScoringDimension } from '@switchyard/events'
import { compactKey, dimensionKey, isSameDimension, isSameList, keySlot, windowKey } from '../scoring/dimension.ts'
import { RecentKinds } from '../scoring/recent-kinds.ts'
import type { ScoreWindow } from '../scoring/score-window.ts'
import { Interned } from './interned.ts'
import type { MerchantWindows } from './merchant-windows.ts'

/** Windows that are asked for together. */
export interface AskedWindows {
  readonly dimension: ScoringDimension
  readonly gateways: readonly string[]
}

/** A question, and the map keys of the windows that it asks for. */
interface NamedWindows {
  readonly kind: AskedWindows
  readonly keys: readonly string[]
}

/** Whether both ask for the same windows. */
export const isSameQuestion = (a: AskedWindows, b: AskedWindows): boolean =>
  isSameList(a.gateways, b.gateways) && isSameDimension(a.dimension, b.dimension)

/** The windows of one merchant that a question asks for. */
export class FoundWindows {
  readonly kind: AskedWindows
  readonly #keys: readonly string[]
  #windows: readonly (ScoreWindow | undefined)[] = []
  /** Up to which change of the merchant's windows they are right; before the first look none. */
  #changeCount = -1

  constructor({ kind, keys }: NamedWindows) {
    this.kind = kind
    this.#keys = keys
  }

  /** In the order asked for, undefined for a gateway without outcomes; looked up only when windows came or went. */
  among(windows: MerchantWindows): readonly (ScoreWindow | undefined)[] {
    if (this.#changeCount !== windows.changeCount) {
      this.#windows = this.#keys.map((key) => windows.get(key))
      this.#changeCount = windows.changeCount
    }
    return this.#windows
  }
}

/**
 * Characters of the keys of a question that is kept for others that ask the same. Each key repeats the dimension: with many gateways
 * and fields of its own that a merchant fills, the keys of one question are half a megabyte, and those of all that may be kept gigabytes.
 */
const KEPT_KEYS_LENGTH_MAX = 16_384

/** Questions of all merchants with their keys: equal ones are kept once. */
export class SharedQuestions {
  readonly #named: Interned<NamedWindows>

  constructor(countMax: number) {
    this.#named = new Interned(countMax)
  }

  /** What a merchant was asked a moment ago. */
  recentOnes(): RecentKinds<AskedWindows, FoundWindows> {
    return new RecentKinds(isSameQuestion, this.#find)
  }

  readonly #find = ({ dimension, gateways }: AskedWindows): FoundWindows => {
    const key = dimensionKey(dimension)
    const text = key + gateways.map(keySlot).join('')
    const name = (): NamedWindows => ({
      kind: { dimension, gateways },
      keys: gateways.map((gateway) => compactKey(windowKey(key, gateway))),
    })
    const isKept = key.length * gateways.length + text.length <= KEPT_KEYS_LENGTH_MAX
    return new FoundWindows(isKept ? this.#named.of(text, name) : name())
  }
}
