import type { ReadStore } from '@switchyard/kernel'
import type { Route } from '../flows.ts'
import { ERROR_MINUTES_PAGE_DOCUMENTS, ERROR_MINUTES_SCANNED_MAX, GROUPS_PER_ANSWER_MAX } from '../limits.ts'
import { type ErrorMinute, type ErrorSample, errorSamples } from '../rollups/error-samples.ts'
import type { ErrorGroup } from '../rollups/minute-rollup.ts'
import { isFiltered, matchOf, type PaymentScope } from './cells.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
import type { Window } from './window.ts'

/** Whose failed calls, when, and which; undefined asks for nothing. */
export interface ErrorScope extends PaymentScope {
  readonly merchantId: string
  readonly window: Window
  readonly route: string | undefined
  readonly errorCode: string | undefined
}

/** How a scan ended. */
type ScanEnd = 'complete' | 'truncated'

/** Whether a failed call is of the route and code asked for. */
export const isErrorAsked = (
  error: { readonly route: Route; readonly errorCode: string | null },
  { route, errorCode }: Pick<ErrorScope, 'route' | 'errorCode'>,
): boolean => (route === undefined || error.route === route) && (errorCode === undefined || error.errorCode === errorCode)

/** Whether a failed call was about the payments asked for: one that does not say what it was about is about none of them. */
export const isAboutAsked = ({ about }: Pick<ErrorSample, 'about'>, scope: PaymentScope): boolean =>
  !isFiltered(scope) || (about !== undefined && matchOf({ ...about, precision: 'full' }, scope) === 'matches')

/** Visits the minutes in which calls failed, newest first. */
export const scanErrorMinutes = (
  store: ReadStore,
  { merchantId, window }: Pick<ErrorScope, 'merchantId' | 'window'>,
  positions: IncludedPositions,
  visit: (minute: ErrorMinute) => void,
): Promise<ScanEnd> => {
  const range = {
    collection: errorSamples.name,
    prefix: [merchantId],
    from: window.firstMinuteMs,
    to: window.lastMinuteMs,
    order: 'descending',
    documentsMax: ERROR_MINUTES_SCANNED_MAX,
    pageDocuments: ERROR_MINUTES_PAGE_DOCUMENTS,
  } as const
  return scan<ErrorMinute>(
    store,
    range,
    ({ body }) => body.minuteMs,
    ({ body, position }) => {
      include(positions, position)
      visit(body)
    },
  )
}

/** Failed calls about certain payments, in groups. */
export interface AskedErrors {
  /** Most frequent first. */
  readonly groups: () => readonly ErrorGroup[]
  readonly add: (minute: ErrorMinute) => void
  /** `truncated` when a minute kept too little of some to tell whether they are asked for. */
  readonly end: () => ScanEnd
}

/** Groups the failed calls of a filtered read. */
export const createAskedErrors = (scope: ErrorScope): AskedErrors => {
  const groups = createGroups<ErrorGroup>(GROUPS_PER_ANSWER_MAX)
  let isBlurred = false
  return {
    add: ({ cells = [], lostCount = 0 }) => {
      if (lostCount > 0) isBlurred = true
      for (const cell of cells) {
        if (!isErrorAsked(cell, scope)) continue
        const match = matchOf(cell, scope)
        if (match === 'unknown') isBlurred = true
        if (match !== 'matches') continue
        const { route, errorCode, errorMessage, count, lastSeenMs } = cell
        groups.update([route, errorCode, errorMessage], (known) => ({
          route,
          errorCode,
          errorMessage,
          count: count + (known?.count ?? 0),
          lastSeenMs: Math.max(lastSeenMs, known?.lastSeenMs ?? 0),
        }))
      }
    },
    groups: () => groups.values().sort((a, b) => b.count - a.count || b.lastSeenMs - a.lastSeenMs || compareText(a.errorCode, b.errorCode)),
    end: () => (isBlurred ? 'truncated' : endOf(groups)),
  }
}
