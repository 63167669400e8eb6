import {
  ACCOUNT_LENGTH_MAX,
  columnsOf,
  HEADER_SAMPLE_BYTES_MAX,
  type MappingProblem,
  mappingProblems,
  type ReportColumnsCommand,
  type ReportColumnsRejection,
  type ReportFormat,
  reportColumns,
  reportFormatOf,
} from '@switchyard/costs'
import { parseBody, platformError, type Route, type RouteReply, type RouteRequest, withFewMembers } from '@switchyard/http'
import { assertNever, type Now } from '@switchyard/kernel'
import { type HandleCommand, positionToken, type StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import type { CostOperations } from '../operations.ts'
import { costRoute, costSpec, merchantOf, originOf, pathParam, replyOf } from './cost-route.ts'
import { accountOf, badAccount, unknownConnector } from './reports.ts'

/** What the routes of column mappings need. */
export interface ColumnMappingRouteDependencies {
  readonly operations: Pick<CostOperations, 'validateHeaders'>
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  readonly handle: HandleCommand
  readonly now: Now
}

const LABEL_LENGTH_MAX = 255
/** Most columns that a mapping names: more than any report has. */
export const COLUMN_COUNT_MAX = 1_000
const label = z.string().min(1).max(LABEL_LENGTH_MAX)
const body = z.object({
  columns: withFewMembers(z.record(label, label), COLUMN_COUNT_MAX),
  sample: z.string().default(''),
  truncated: z.boolean().default(false),
})
const query = { account: z.string().max(ACCOUNT_LENGTH_MAX) }

const refused = (detail: string): RouteReply => platformError(400, 'TE_03', detail)

const textOf = (problem: MappingProblem): string => {
  switch (problem.problem) {
    case 'unknown-column':
      return `columns.${problem.label}: the connector reads no such column`
    case 'not-in-file':
      return `columns.${problem.label}: the sample has no column ${problem.target}`
    case 'used-twice':
      return `columns.${problem.label}: ${problem.target} stands for another column already`
    default:
      return assertNever(problem)
  }
}

const rejectedReply = (rejection: ReportColumnsRejection | { readonly code: 'CONFLICT' }): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, 'TE_04', 'MerchantId not found')
    case 'TOO_MANY_MAPPINGS':
      return platformError(400, 'TE_04', `No more than ${rejection.limit} accounts can have columns of their own; clear one first`)
    case 'CONFLICT':
      return platformError(409, 'TE_04', 'Others changed it at the same time; try again')
    default:
      return assertNever(rejection)
  }
}

const PATH = 'connectors/:connector/report/column-mapping'
const UNKNOWN = { 404: 'The merchant or the connector is not known' }
const WRITTEN = { ...UNKNOWN, 409: 'Others changed it at the same time; try again' }

/** The handler for a connector that is known and an account that is named. */
const named =
  (handler: (request: RouteRequest, format: ReportFormat, account: string) => Promise<RouteReply>): Route['handle'] =>
  async (request) => {
    const format = reportFormatOf(pathParam(request, 'connector'))
    if (format === undefined) return unknownConnector
    const account = accountOf(request)
    return account === undefined ? badAccount : await handler(request, format, account)
  }

const run = async (
  { handle }: Pick<ColumnMappingRouteDependencies, 'handle'>,
  request: RouteRequest,
  command: ReportColumnsCommand,
): Promise<RouteReply> => {
  const outcome = await handle(reportColumns, { key: command.merchantId, command, origin: originOf(request) })
  if (!outcome.accepted) return rejectedReply(outcome.rejection)
  const { position } = outcome
  return { status: 204, ...(position === undefined ? {} : { headers: { 'x-log-position': positionToken('config', position) } }) }
}

/** All that is wrong with a mapping for the file that a sample is of; undefined when nothing is. */
const problemsOf = async (
  { operations }: Pick<ColumnMappingRouteDependencies, 'operations'>,
  format: ReportFormat,
  merchantId: string,
  { columns, sample }: z.infer<typeof body>,
): Promise<RouteReply | undefined> => {
  if (sample === '') return refused('sample: is required, the first bytes of a file')
  const place = { merchantId, connector: format.connector, account: null }
  const found = await operations.validateHeaders({ ...place, sample: Buffer.from(sample).subarray(0, HEADER_SAMPLE_BYTES_MAX) })
  if (!found.ok) return replyOf(found, () => null)
  const problems = mappingProblems(format, columns, found.value.found)
  return problems.length === 0 ? undefined : refused(problems.map(textOf).join('; '))
}

const readRoute = ({ states }: ColumnMappingRouteDependencies): Route =>
  costRoute(
    costSpec('GET', PATH),
    {
      summary: 'How the columns of an account are called',
      query,
      answer: z.object({ columns: z.record(z.string(), z.string()) }),
      refusals: UNKNOWN,
    },
    named(async (request, { connector }, account) => {
      const merchantId = merchantOf(request)
      await states.readIndex(merchantId)
      return { status: 200, body: { columns: columnsOf(states.stateOf(reportColumns, merchantId), connector, account) } }
    }),
  )

const mapRoute = (dependencies: ColumnMappingRouteDependencies): Route =>
  costRoute(
    costSpec('PUT', PATH, 'json'),
    {
      summary: 'Set how the columns of an account are called; none at all clears it',
      query,
      body,
      status: 204,
      refusals: { ...WRITTEN, 400: 'Something is wrong with the mapping' },
    },
    named(async (request, format, account) => {
      const parsed = parseBody(body, request.body)
      if (!parsed.ok) return parsed.reply
      const common = { merchantId: merchantOf(request), connector: format.connector, account, at: dependencies.now() }
      const { columns } = parsed.value
      if (Object.keys(columns).length === 0) return await run(dependencies, request, { type: 'UnmapReportColumns', ...common })
      const wrong = await problemsOf(dependencies, format, common.merchantId, parsed.value)
      return wrong ?? (await run(dependencies, request, { type: 'MapReportColumns', ...common, columns }))
    }),
  )

const unmapRoute = (dependencies: ColumnMappingRouteDependencies): Route =>
  costRoute(
    costSpec('DELETE', PATH),
    {
      summary: 'Let the columns of an account be called as usual',
      query,
      status: 204,
      refusals: { ...WRITTEN, 400: 'No account is named' },
    },
    named(async (request, { connector }, account) => {
      const common = { merchantId: merchantOf(request), connector, account, at: dependencies.now() }
      return await run(dependencies, request, { type: 'UnmapReportColumns', ...common })
    }),
  )

/** `…/report/column-mapping` (cost.md 6.3): how the columns of an account's reports are called, for uploads, notices and the poller alike. */
export const columnMappingRoutes = (dependencies: ColumnMappingRouteDependencies): readonly Route[] => [
  readRoute(dependencies),
  mapRoute(dependencies),
  unmapRoute(dependencies),
]
