import { buffersOf, type LearnedCosts, LearnedIndex } from '@switchyard/costs'
import { positionToken } from '@switchyard/runtime'
import type { LearnedModelNews } from './learned-models.ts'

/** What is learned of a merchant, ready for lookups. */
export interface LearnedCostModel {
  readonly index: LearnedIndex
  /** Which registration of the merchant id it is of. */
  readonly merchantRegistrationCount: number
  /** Position token of the last fit that it includes. */
  readonly version: string
}

interface ServedModel extends LearnedCostModel {
  readonly costs: LearnedCosts
}

/** Takes memory away from this thread at once. */
type TakeBack = (memory: readonly ArrayBuffer[]) => void

/** The learned models that decisions use, one a merchant, each replaced as a whole: who asks for one uses it before the next turn. */
export class ServedModels {
  readonly #models: Map<string, ServedModel> = new Map()
  readonly #takeBack: TakeBack

  /**
   * `takeBack` gets the memory of models that are replaced. Left to this thread's collector, forty megabytes would be reason enough to go
   * through all that the thread has, which held answers up for fifteen milliseconds.
   */
  constructor(takeBack: TakeBack) {
    this.#takeBack = takeBack
  }

  of(merchantId: string): LearnedCostModel | undefined {
    return this.#models.get(merchantId)
  }

  serve({ merchantId, merchantRegistrationCount, position, costs }: LearnedModelNews): void {
    this.forget(merchantId)
    const version = positionToken('costs', position)
    this.#models.set(merchantId, { index: new LearnedIndex(costs), merchantRegistrationCount, version, costs })
  }

  forget(merchantId: string): void {
    const model = this.#models.get(merchantId)
    if (model === undefined) return
    this.#models.delete(merchantId)
    this.#takeBack(buffersOf(model.costs))
  }
}
