import type { ReportColumnsMapped, ReportColumnsUnmapped } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import { MAPPED_ACCOUNT_COUNT_MAX } from '../limits.ts'
import type { MerchantLife } from '../merchant-life.ts'
import type { ColumnMapping } from '../reports/report-reader.ts'

/** Maps the columns of an account's reports, as a whole, or ends that; whether they are in a file is settled before. */
export type ReportColumnsCommand = {
  readonly merchantId: string
  readonly connector: string
  readonly account: string
  /** Epoch milliseconds. */
  readonly at: number
} & ({ readonly type: 'MapReportColumns'; readonly columns: ColumnMapping } | { readonly type: 'UnmapReportColumns' })

/** What the mappings of a merchant follow from. */
export type ReportColumnsEvent = MerchantLife | ReportColumnsMapped | ReportColumnsUnmapped

interface TooManyMappings {
  readonly code: 'TOO_MANY_MAPPINGS'
  readonly limit: number
}

/** Why columns are not mapped. */
export type ReportColumnsRejection = TooManyMappings | MerchantNotFound

/** The columns of one account's reports. */
export interface MappedColumns {
  readonly connector: string
  readonly account: string
  readonly columns: ColumnMapping
}

/** The columns of the reports of all accounts that differ from the usual. */
export interface ReportColumns {
  readonly registered: boolean
  readonly mappings: readonly MappedColumns[]
}

const initialState: ReportColumns = { registered: false, mappings: [] }

const isOf = (one: { readonly connector: string; readonly account: string }, other: typeof one): boolean =>
  one.connector === other.connector && one.account === other.account

/** How the labels of an account's reports are called in its files; empty when they are called as usual. */
export const columnsOf = ({ mappings }: ReportColumns, connector: string, account: string): ColumnMapping =>
  mappings.find((known) => isOf(known, { connector, account }))?.columns ?? {}

/** Mappings of columns by account (cost.md 6.3). The last word counts. A mapping of nothing is none. */
export const reportColumns: Slice<ReportColumnsCommand, ReportColumns, ReportColumnsEvent, ReportColumnsRejection> = {
  name: 'report-columns',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'ReportColumnsMapped', 'ReportColumnsUnmapped'],
  conflicts: 'commute',
  ...ofMerchant<ReportColumnsCommand, ReportColumns, ReportColumnsMapped | ReportColumnsUnmapped, TooManyMappings>({
    initialState,

    decide: (command, { mappings }) => {
      const { merchantId, connector, account, at } = command
      const data = { merchantId, connector, account, at }
      const others = mappings.filter((known) => !isOf(known, command))
      if (command.type === 'UnmapReportColumns' || Object.keys(command.columns).length === 0)
        return others.length === mappings.length ? accept() : accept({ type: 'ReportColumnsUnmapped', data })
      if (others.length >= MAPPED_ACCOUNT_COUNT_MAX) return reject({ code: 'TOO_MANY_MAPPINGS', limit: MAPPED_ACCOUNT_COUNT_MAX })
      return accept({ type: 'ReportColumnsMapped', data: { ...data, columns: command.columns } })
    },

    evolve: (state, event) => {
      const others = state.mappings.filter((known) => !isOf(known, event.data))
      switch (event.type) {
        case 'ReportColumnsMapped': {
          const { connector, account, columns } = event.data
          return { ...state, mappings: [...others, { connector, account, columns }] }
        }
        case 'ReportColumnsUnmapped':
          return { ...state, mappings: others }
        default:
          return assertNever(event)
      }
    },
  }),
}
