import { costIngestions, DUE_INDEX, type Ingestion } from '@switchyard/costs'
import type { ReadStore } from '@switchyard/kernel'
import { PAGE_COUNT } from '../limits.ts'

/** Ids of all ingestions that somebody has to begin with or go on with. */
export const openIngestions = async (store: ReadStore): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>()
  const query = { collection: costIngestions.name, index: DUE_INDEX, prefix: [], order: 'ascending', limit: PAGE_COUNT } as const
  // By time, not by number: those that other processes finish meanwhile would move others to pages that were read.
  let from: number | undefined
  let offset = 0
  for (;;) {
    const page = await store.range<Ingestion>({ ...query, ...(from === undefined ? {} : { from }), offset })
    for (const { body } of page) ids.add(body.ingestionId)
    const last = page.at(-1)?.body.dueAt
    if (page.length < PAGE_COUNT || last === undefined) return ids
    offset = last === from ? offset + PAGE_COUNT : 0
    from = last
  }
}
