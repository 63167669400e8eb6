/** It is awaited later, perhaps after it has failed: until then its failure is nobody's surprise. */
const awaitedLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {})
  return promise
}

/**
 * The results of `work` on each item, in the order of the items, as soon as they are known. At most `inFlightMax` items are
 * worked on at the same time; the next one is not asked for before there is room.
 */
export const inOrder = async function* <Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  inFlightMax: number,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]()
  const inFlight: Promise<Result>[] = []
  let isOver = false
  let next = awaitedLater(source.next())
  try {
    while (!isOver || inFlight.length > 0) {
      const [oldest] = inFlight
      const hasRoom = !isOver && inFlight.length < inFlightMax
      const isItem = oldest === undefined || (hasRoom && (await Promise.race([next.then(() => true), oldest.then(() => false)])))
      if (!isItem) {
        yield await oldest
        void inFlight.shift()
        continue
      }
      const { done, value } = await next
      isOver = done === true
      if (isOver) continue
      inFlight.push(awaitedLater(work(value)))
      next = awaitedLater(source.next())
    }
  } finally {
    // Who waits for the next item may wait for long: nobody waits for the end of that.
    if (!isOver) source.return?.().catch(() => {})
  }
}
