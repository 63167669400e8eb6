/** A transaction that was given up: who wrote it, and where it begins. */
export interface AbortedTransaction {
  readonly producerId: bigint
  readonly firstOffset: number
}

/** Who wrote something, and how. */
interface Written {
  readonly producerId: bigint
  readonly offset: number
  readonly isTransactional: boolean
  /** Says how a transaction ended. */
  readonly isControl: boolean
}

/**
 * Tells of what a broker gave, in its order, whether it is part of one of these transactions. A broker that is asked for what was committed
 * gives what was given up, too, with a list of it.
 */
export const createIsAborted = (transactions: readonly AbortedTransaction[]): ((written: Written) => boolean) => {
  const waiting = transactions.toSorted((a, b) => b.firstOffset - a.firstOffset)
  const open = new Set<bigint>()
  return ({ producerId, offset, isTransactional, isControl }) => {
    for (let next = waiting.at(-1); next !== undefined && next.firstOffset <= offset; next = waiting.at(-1)) {
      open.add(next.producerId)
      waiting.pop()
    }
    if (isControl) open.delete(producerId)
    return isTransactional && !isControl && open.has(producerId)
  }
}
