import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { merchants } from '@switchyard/access'
import { ACCOUNT_LENGTH_MAX, accountNamed, REPORT_FORMATS, reportFormatOf } from '@switchyard/costs'
import { bodyStreamOf, isForm, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { createPlaces, type NewId } from '@switchyard/kernel'
import type { StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { REPORT_BYTES_MAX, UPLOADS_AT_ONCE_MAX, UPLOADS_OF_MERCHANT_MAX } from '../limits.ts'
import type { CostOperations, SpooledReport } from '../operations.ts'
import type { Spool, Spooled } from '../spool.ts'
import { costRoute, costSpec, merchantOf, originOf, pathParam, replyOf } from './cost-route.ts'

/** What the routes of uploads need. */
export interface ReportRouteDependencies {
  readonly operations: Pick<CostOperations, 'accept'>
  readonly states: Pick<StreamStates, 'stateOf'>
  readonly spool: Spool
  readonly newId: NewId
  /** Where `<connector>_report.csv` lies; undefined: nowhere. */
  readonly samplesDir: string | undefined
}

const CONFLICT = 'Others changed it at the same time; try again'
const acceptedAnswer = z.object({ id: z.string(), status: z.literal('processing') })
const connectorsAnswer = z.array(z.object({ id: z.string(), pull: z.boolean() }))

const bad = (field: string, detail: string): RouteReply => platformError(400, 'TE_03', `${field}: ${detail}`)

/** The account of a query; undefined when it names none. */
export const accountOf = ({ query }: RouteRequest): string | undefined => accountNamed(query.get('account') ?? '')

export const badAccount: RouteReply = bad('account', `must have 1 to ${ACCOUNT_LENGTH_MAX} characters, without control characters`)
export const badForm: RouteReply = bad('body', 'must be the file itself, not a form')
export const unknownConnector: RouteReply = replyOf({ ok: false, refusal: 'CONNECTOR_UNKNOWN' }, () => null)

const LIMITS_TEXT = `${UPLOADS_OF_MERCHANT_MAX} of a merchant, ${UPLOADS_AT_ONCE_MAX} of all`
const BUSY: RouteReply = {
  ...platformError(503, 'TE_00', `As many reports are being uploaded as can be at the same time (${LIMITS_TEXT}); try again`),
  headers: { 'retry-after': '10' },
}
const TOO_LARGE = platformError(413, 'TE_03', `The report is larger than ${REPORT_BYTES_MAX} bytes`)

const isClientGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

/** Whether a report tells all of its days, or adds to them; undefined for something else. */
const coversWholeDays = ({ query }: RouteRequest): boolean | undefined => {
  switch (query.get('covers') ?? 'whole_days') {
    case 'whole_days':
      return true
    case 'parts_of_days':
      return false
    default:
      return undefined
  }
}

/** Whose report it will be, as a request begins. */
const ownerOf = ({ states }: ReportRouteDependencies, request: RouteRequest): Pick<SpooledReport, 'merchantId' | 'life' | 'origin'> => {
  const merchantId = merchantOf(request)
  return { merchantId, life: states.stateOf(merchants, merchantId).registrationCount, origin: originOf(request) }
}

const keep = async ({ spool }: ReportRouteDependencies, id: string, request: RouteRequest): Promise<Spooled | 'gone'> => {
  const bytes = bodyStreamOf(request)
  try {
    const spooled = await spool.keep(id, bytes, REPORT_BYTES_MAX)
    if (!bytes.isCut()) return spooled
    // The spool took what came for all there is.
    await spool.remove(id)
    return { kind: 'too-large' }
  } catch (error) {
    if (isClientGone(error)) return 'gone'
    throw error
  }
}

const upload = async (dependencies: ReportRouteDependencies, request: RouteRequest): Promise<RouteReply> => {
  const { operations, newId } = dependencies
  const owner = ownerOf(dependencies, request)
  const format = reportFormatOf(pathParam(request, 'connector'))
  if (format === undefined) return unknownConnector
  const account = accountOf(request)
  if (account === undefined) return badAccount
  const isWhole = coversWholeDays(request)
  if (isWhole === undefined) return bad('covers', 'must be whole_days or parts_of_days')
  if (isForm(request)) return badForm
  const ingestionId = newId()
  const kept = await keep(dependencies, ingestionId, request)
  if (kept === 'gone') return bad('body', 'could not be read to its end')
  if (kept.kind === 'too-large') return TOO_LARGE
  if (kept.kind !== 'kept') return bad('body', 'is empty')
  const report: SpooledReport = {
    ...owner,
    ingestionId,
    connector: format.connector,
    account,
    source: 'MANUAL',
    coversWholeDays: isWhole,
    byteCount: kept.byteCount,
  }
  return replyOf(await operations.accept(report), () => ({ id: ingestionId, status: 'processing' }), 202)
}

const sampleFile = async (samplesDir: string | undefined, connector: string): Promise<string | undefined> => {
  if (samplesDir === undefined) return undefined
  const path = join(samplesDir, `${connector}_report.csv`)
  return (await stat(path).catch(() => undefined))?.isFile() === true ? path : undefined
}

const takeSample = async (dependencies: ReportRouteDependencies, request: RouteRequest): Promise<RouteReply> => {
  const { operations, spool, newId, samplesDir } = dependencies
  const owner = ownerOf(dependencies, request)
  const format = reportFormatOf(pathParam(request, 'connector'))
  if (format === undefined) return unknownConnector
  const { connector } = format
  const path = await sampleFile(samplesDir, connector)
  if (path === undefined) return replyOf({ ok: false, refusal: 'SAMPLES_MISSING' }, () => null)
  const ingestionId = newId()
  const kept = await spool.keep(ingestionId, createReadStream(path), REPORT_BYTES_MAX)
  if (kept.kind !== 'kept') return replyOf({ ok: false, refusal: 'SAMPLES_MISSING' }, () => null)
  const report: SpooledReport = {
    ...owner,
    ingestionId,
    connector,
    account: `acc_${connector}`,
    source: 'SAMPLE',
    coversWholeDays: true,
    byteCount: kept.byteCount,
  }
  return replyOf(await operations.accept(report), () => ({ id: ingestionId, status: 'processing' }), 202)
}

const connectorsRoute: Route = {
  spec: {
    method: 'GET',
    path: '/cost-ingestion/connectors',
    access: 'protected',
    permission: 'routing:read',
    tenant: false,
    body: 'none',
    hot: false,
  },
  api: { summary: 'Connectors whose settlement reports can be read', answer: connectorsAnswer },
  handle: () => ({
    status: 200,
    body: REPORT_FORMATS.map(({ connector: id, isPulled: pull }) => ({ id, pull })).sort((one, other) => (one.id < other.id ? -1 : 1)),
  }),
}

/** Uploading a report (cost.md 2): kept as a whole before it is accepted. */
export const reportRoutes = (dependencies: ReportRouteDependencies): readonly Route[] => {
  const places = createPlaces({ countMax: UPLOADS_AT_ONCE_MAX, perOwnerMax: UPLOADS_OF_MERCHANT_MAX })
  const uploadRoute = costRoute(
    { ...costSpec('POST', 'connectors/:connector/report', 'stream'), streamBytesMax: REPORT_BYTES_MAX },
    {
      summary: 'Take a settlement report in',
      query: { account: z.string().min(1).max(ACCOUNT_LENGTH_MAX), covers: z.enum(['whole_days', 'parts_of_days']) },
      status: 202,
      answer: acceptedAnswer,
      refusals: { 404: 'The merchant or the connector is not known', 409: CONFLICT },
    },
    async (request) => {
      const merchantId = merchantOf(request)
      return places.isFree(merchantId) ? await places.within(merchantId, () => upload(dependencies, request)) : BUSY
    },
  )
  const sampleRoute = costRoute(
    costSpec('POST', 'connectors/:connector/report/sample'),
    {
      summary: "Take the deployment's sample report of a connector in, to try it out",
      status: 202,
      answer: acceptedAnswer,
      refusals: { 404: 'The merchant or the connector is not known, or there is no sample', 409: CONFLICT },
    },
    (request) => takeSample(dependencies, request),
  )
  return [connectorsRoute, uploadRoute, sampleRoute]
}
