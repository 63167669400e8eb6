import { ACCOUNT_LENGTH_MAX, HEADER_SAMPLE_BYTES_MAX, type Preflight, type Preview, type PreviewRow } from '@switchyard/costs'
import { bodyStreamOf, isForm, parseBody, platformError, type Route, type RouteRequest, withFewMembers } from '@switchyard/http'
import * as z from 'zod'
import type { CostOperations } from '../operations.ts'
import { COLUMN_COUNT_MAX } from './column-mapping.ts'
import { costRoute, costSpec, merchantOf, pathParam, replyOf } from './cost-route.ts'
import { accountOf, badAccount, badForm } from './reports.ts'

const text = z.string()
const number = z.number()
const labels = z.array(text)

const preflightAnswer = z.object({
  connector: text,
  ok: z.boolean(),
  missing: labels,
  matched: labels,
  required: labels,
  optional: labels,
  optional_missing: labels,
  found: labels,
  suggested_connectors: z.array(z.object({ connector: text, matched_required: z.int() })),
})

const previewBody = z.object({
  columns: withFewMembers(z.record(text, text), COLUMN_COUNT_MAX),
  sample: text,
  truncated: z.boolean().default(false),
})

const previewAnswer = z.object({
  rows: z.array(
    z.object({
      card_network: text,
      variant: text,
      funding: text,
      currency: text,
      issuer_country: text,
      gross: number,
      total_fee: number,
      effective_pct: number,
      interchange: number,
      scheme_fee: number,
      markup: number,
      commission: number,
    }),
  ),
  median_effective_pct: number.nullable(),
  warning: text.nullable(),
})

const printPreflight = (found: Preflight): object => ({
  connector: found.connector,
  ok: found.ok,
  missing: found.missing,
  matched: found.matched,
  required: found.required,
  optional: found.optional,
  optional_missing: found.optionalMissing,
  found: found.found,
  suggested_connectors: found.suggestedConnectors.map(({ connector, matchedRequired }) => ({
    connector,
    matched_required: matchedRequired,
  })),
})

const WARNINGS: Readonly<Record<Extract<Preview['warning'], string>, string>> = {
  'implausible-rate':
    'The payments would cost an implausible share of their value: is a fee column wrong, or are amounts in minor units where major ones are expected?',
  'cut-before-first-payment': 'The sample ends before the first payment is complete, so there is nothing to show yet',
  'no-fees': 'The file can be read, but no row of it has fees: are the columns of the row type and the amounts the right ones?',
}

const warningText = (warning: NonNullable<Preview['warning']>): string =>
  typeof warning === 'string'
    ? WARNINGS[warning]
    : `A record can not be read: ${warning.column || 'it'} ${warning.detail}. A file with more than 1 in 1,000 of these is refused as a whole`

const NO_PARTS = { interchange: 0, schemeFee: 0, markup: 0, commission: 0 }

const printRow = ({ row, effectivePct }: PreviewRow): object => {
  const { interchange, schemeFee, markup, commission } = row.type === 'payment' ? row : NO_PARTS
  return {
    card_network: row.cardNetwork,
    variant: row.variant,
    funding: row.funding,
    currency: row.currency,
    issuer_country: row.issuerCountry,
    gross: row.type === 'payment' ? row.gross : row.turnover,
    total_fee: row.type === 'payment' ? row.totalFee : row.cost,
    effective_pct: effectivePct,
    interchange,
    scheme_fee: schemeFee,
    markup,
    commission,
  }
}

const printPreview = ({ rows, medianEffectivePct, warning }: Preview): object => ({
  rows: rows.map(printRow),
  median_effective_pct: medianEffectivePct,
  warning: warning === null ? null : warningText(warning),
})

/** The first bytes of a file; what comes behind them is not read. */
const startOf = async (request: RouteRequest): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of bodyStreamOf(request)) {
    chunks.push(chunk)
    byteCount += chunk.length
    if (byteCount >= HEADER_SAMPLE_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, HEADER_SAMPLE_BYTES_MAX)
}

const REFUSALS = { 404: 'The merchant or the connector is not known' }

/** `validate-headers` and `preview` (cost.md 6). */
export const sampleRoutes = (operations: Pick<CostOperations, 'validateHeaders' | 'preview'>): readonly Route[] => [
  costRoute(
    costSpec('POST', 'connectors/:connector/report/validate-headers', 'stream'),
    {
      summary: 'Whether a file has the columns of a connector; its first bytes are enough',
      query: { account: text.max(ACCOUNT_LENGTH_MAX) },
      answer: preflightAnswer,
      refusals: REFUSALS,
    },
    async (request) => {
      // A page may name the account before one is typed.
      const account = (request.query.get('account') ?? '').trim() === '' ? null : accountOf(request)
      if (account === undefined) return badAccount
      if (isForm(request)) return badForm
      const place = { merchantId: merchantOf(request), connector: pathParam(request, 'connector'), account }
      return replyOf(await operations.validateHeaders({ ...place, sample: await startOf(request) }), printPreflight)
    },
  ),
  costRoute(
    costSpec('POST', 'connectors/:connector/report/preview', 'json'),
    {
      summary: 'How the first rows of a file are read under a mapping of columns',
      body: previewBody,
      answer: previewAnswer,
      refusals: REFUSALS,
    },
    async (request) => {
      const body = parseBody(previewBody, request.body)
      if (!body.ok) return body.reply
      const { columns, sample, truncated: isCut } = body.value
      if (sample === '') return platformError(400, 'TE_03', 'sample: is empty')
      const place = { merchantId: merchantOf(request), connector: pathParam(request, 'connector') }
      return replyOf(await operations.preview({ ...place, columns, sample: Buffer.from(sample), isCut }), printPreview)
    },
  ),
]
