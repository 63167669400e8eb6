/** What an alarm can be set for: it knows where its alarm stands. */
export interface Sleeper {
  wakeAtMs: number
  /** Its place in the heap, -1 while no alarm is set. */
  alarm: number
}

/** Alarms by time, earliest first: a binary heap, one alarm a sleeper. */
export interface Alarms<Item> {
  readonly set: (item: Item, atMs: number) => void
  readonly cancel: (item: Item) => void
  readonly earliest: () => Item | undefined
}

export const createAlarms = <Item extends Sleeper>(): Alarms<Item> => {
  const heap: Item[] = []

  const put = (item: Item, at: number): void => {
    heap[at] = item
    item.alarm = at
  }
  const raise = (item: Item): void => {
    let at = item.alarm
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || parent.wakeAtMs <= item.wakeAtMs) break
      put(parent, at)
      at = above
    }
    put(item, at)
  }
  const earlierChild = (at: number): Item | undefined => {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    if (left === undefined || right === undefined) return left
    return right.wakeAtMs < left.wakeAtMs ? right : left
  }
  const lower = (item: Item): void => {
    for (let child = earlierChild(item.alarm); child !== undefined; child = earlierChild(item.alarm)) {
      if (child.wakeAtMs >= item.wakeAtMs) return
      const [upper, under] = [item.alarm, child.alarm]
      put(child, upper)
      put(item, under)
    }
  }
  const cancel = (item: Item): void => {
    const at = item.alarm
    if (at === -1) return
    item.alarm = -1
    const last = heap.pop()
    if (last === undefined || last === item) return
    put(last, at)
    raise(last)
    lower(last)
  }

  return {
    set: (item, atMs) => {
      cancel(item)
      item.wakeAtMs = atMs
      put(item, heap.length)
      raise(item)
    },
    cancel,
    earliest: () => heap[0],
  }
}
