const COMPACT_FROM = 256

/** First in, first out, both in constant time. */
export interface Fifo<Item> {
  readonly push: (item: Item) => void
  readonly shift: () => Item | undefined
  readonly size: () => number
  readonly drain: () => readonly Item[]
}

export const createFifo = <Item>(): Fifo<Item> => {
  let items: Item[] = []
  let head = 0
  return {
    push: (item) => {
      items.push(item)
    },
    shift: () => {
      const item = items[head]
      if (head >= items.length) return undefined
      head += 1
      if (head >= COMPACT_FROM && head * 2 >= items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    size: () => items.length - head,
    drain: () => {
      const rest = items.slice(head)
      items = []
      head = 0
      return rest
    },
  }
}
