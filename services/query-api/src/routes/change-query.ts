import type { ChangeQuery } from '@switchyard/analytics'
import { integer, pageOf, pageSizeOf, refuseRepeated, text } from './analytics-query.ts'

/** Changes on a page when the request does not say. */
const PAGE_SIZE_DEFAULT = 20

/** Which changes are asked for; whose, the route finds out. */
export type ChangeRequest = Omit<ChangeQuery, 'historySince'>

/** Reads the query of a read of changes. Throws {@link InvalidQuery}. */
export const parseChangeQuery = (query: URLSearchParams): ChangeRequest => {
  refuseRepeated(query)
  return {
    startMs: integer(query, 'start_ms'),
    endMs: integer(query, 'end_ms'),
    subject: text(query, 'subject'),
    subjectId: text(query, 'subject_id'),
    actor: text(query, 'actor'),
    change: text(query, 'change'),
    page: pageOf(query),
    pageSize: pageSizeOf(query, PAGE_SIZE_DEFAULT),
  }
}
