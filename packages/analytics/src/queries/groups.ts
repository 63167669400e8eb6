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

/** How reading groups ended. */
export const endOf = (groups: Pick<Groups<unknown>, 'isCut'>): 'complete' | 'truncated' => (groups.isCut() ? 'truncated' : 'complete')

/** Order of texts by their code units; a missing one counts as empty. */
export const compareText = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0)
