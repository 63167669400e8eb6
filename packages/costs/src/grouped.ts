/** The values by their keys; groups and values keep their order. */
export const grouped = <Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): ReadonlyMap<Key, readonly Value[]> => {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}
