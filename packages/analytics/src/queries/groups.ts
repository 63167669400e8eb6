/** Groups of an answer, found by the values that tell them apart; bounded. */
export interface Groups<Group> {
  /** Changes or makes the group of these values; a new group beyond the bound is dropped, and noticed. */
  readonly update: (values: readonly (string | number | null)[], change: (known: Group | undefined) => Group) => void
  readonly values: () => Group[]
  /** Whether a group was dropped. */
  readonly isCut: () => boolean
}

/** Empty groups, at most `countMax`. */
export const createGroups = <Group>(countMax: number): Groups<Group> => {
  const groups = new Map<string, Group>()
  let cut = false
  return {
    update: (values, change) => {
      const key = JSON.stringify(values)
      const known = groups.get(key)
      if (known === undefined && groups.size >= countMax) cut = true
      else groups.set(key, change(known))
    },
    values: () => [...groups.values()],
    isCut: () => cut,
  }
}
