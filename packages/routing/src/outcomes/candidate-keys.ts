import { windowKey } from '../scoring/dimension.ts'

/** Map keys of what a merchant knows of the candidates of a decision: made when they are asked for. */
export class CandidateKeys {
  readonly #prefix: string
  readonly #candidates: readonly string[]
  readonly #kept: (string | undefined)[] | undefined

  /** `prefix`: what all keys begin with. They are kept where that is said: each repeats it. */
  constructor(prefix: string, candidates: readonly string[], { areKept }: { readonly areKept: boolean }) {
    this.#prefix = prefix
    this.#candidates = candidates
    if (areKept) this.#kept = []
  }

  /** The key of the candidate at a place of the list. */
  of(candidate: number): string {
    return this.#kept?.[candidate] ?? this.#make(candidate)
  }

  #make(candidate: number): string {
    const key = windowKey(this.#prefix, this.#candidates[candidate] ?? '')
    if (this.#kept !== undefined) this.#kept[candidate] = key
    return key
  }
}
