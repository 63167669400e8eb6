/** What stands in a {@link Line}: it knows its neighbours, so that it can leave from the middle. */
export interface Standing<Item> {
  line: Line<Item> | undefined
  before: Item | undefined
  behind: Item | undefined
}

/** A line of items in which each may stand once, in one line at a time; joining and leaving take constant time. */
export interface Line<Item> {
  readonly first: () => Item | undefined
  /** Joins at the end, out of whatever line it stood in. */
  readonly join: (item: Item) => void
  readonly leave: (item: Item) => void
}

export const createLine = <Item extends Standing<Item>>(): Line<Item> => {
  let first: Item | undefined
  let last: Item | undefined
  const line: Line<Item> = {
    first: () => first,
    join: (item) => {
      item.line?.leave(item)
      item.line = line
      item.before = last
      item.behind = undefined
      if (last === undefined) first = item
      else last.behind = item
      last = item
    },
    leave: (item) => {
      if (item.line !== line) return
      if (item.before === undefined) first = item.behind
      else item.before.behind = item.behind
      if (item.behind === undefined) last = item.before
      else item.behind.before = item.before
      item.line = undefined
      item.before = undefined
      item.behind = undefined
    },
  }
  return line
}
