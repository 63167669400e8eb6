import { merchants } from '@switchyard/access'
import { addOnOfInvoice, type InvoiceAddOn, isUnspread, onlyCurrency, type SettledDay, settledIn } from '@switchyard/costs'
import { type BodyStream, bodyStreamOf, isForm, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { INVOICE_BYTES_MAX } from '@switchyard/invoice-files'
import { createPlaces } from '@switchyard/kernel'
import { INVOICES_AT_ONCE_MAX, INVOICES_OF_MERCHANT_MAX } from '../limits.ts'
import { badConnector, connectorOf, costSpec, merchantOf, merchantUnknown } from './cost-replies.ts'
import { ingestedAnswer, printIngested } from './invoice-answers.ts'
import { type InvoiceRouteDependencies, refusedInvoice, runInvoiceCommand, settledDaysOf } from './invoice-commands.ts'
import { type InvoiceQuery, invoiceQuerySchemas, parseInvoiceQuery } from './invoice-query.ts'
import { positionHeaders } from './routing-replies.ts'

/** Connectors whose invoices are understood (cost.md 11). */
const INVOICED_CONNECTORS: ReadonlySet<string> = new Set(['adyen'])

const noInvoices = platformError(
  422,
  'TE_04',
  `connector: its invoices are not understood; only those of ${[...INVOICED_CONNECTORS].join(', ')} are`,
)
const isEmpty = platformError(400, 'TE_04', 'body: is empty; send the invoice as it is, a CSV or PDF file')
const isWithinForm = platformError(400, 'TE_04', 'body: must be the invoice itself, a CSV or PDF file, not a form')
const isTooLarge = platformError(413, 'TE_03', `body: an invoice has at most ${INVOICE_BYTES_MAX} bytes`)
const isBusy: RouteReply = {
  ...platformError(503, 'TE_01', 'Too many invoices are read at the moment; try again'),
  headers: { 'retry-after': '5' },
}

const SPREAD_OVER_NOTHING =
  'No volume or count is stated, and nothing is known to have been settled in the period and currency of the invoice: what it charges adds nothing. Send it again when the reports of its period are in'

const FIXED_IN_NO_CURRENCY =
  'No currency is told, and payments in several are settled for this account: what it charges for each payment adds nothing. Send it again with its currency'

const SPREAD_IN_NO_CURRENCY =
  'No volume or count is stated and no currency is told, and payments in several are settled for this account: what it charges adds nothing. Send it again with its currency'

/** What is charged and added to nothing, by what is settled so far. */
const warningsOf = (added: InvoiceAddOn, currency: string, days: readonly SettledDay[]): readonly string[] => {
  const isUncertain = currency === '' && days.length > 0 && onlyCurrency(days) === ''
  if (isUnspread(added)) return [isUncertain ? SPREAD_IN_NO_CURRENCY : SPREAD_OVER_NOTHING]
  return isUncertain && added.fixedAddon !== 0 ? [FIXED_IN_NO_CURRENCY] : []
}

/** All bytes of a body; undefined when there are too many. */
const bytesOf = async (body: BodyStream): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  if (body.isCut()) return undefined
  // A buffer of its own: it is handed to the thread that reads it.
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** `POST …/invoice` (cost.md 11): what the invoice charges beside the fees of payments is on top of learned costs as soon as its event is folded. */
export const invoiceUploadRoute = (dependencies: InvoiceRouteDependencies): Route => {
  const { invoices, states, now } = dependencies
  const places = createPlaces({ countMax: INVOICES_AT_ONCE_MAX, perOwnerMax: INVOICES_OF_MERCHANT_MAX })
  const lifeOf = (request: RouteRequest): number => states.stateOf(merchants, merchantOf(request)).registrationCount

  const ingest = async (request: RouteRequest, connector: string, { account, invoiceRef, ...query }: InvoiceQuery): Promise<RouteReply> => {
    const life = lifeOf(request)
    const bytes = await bytesOf(bodyStreamOf(request))
    if (bytes === undefined) return isTooLarge
    if (bytes.length === 0) return isEmpty
    const read = await invoices.read(bytes)
    if (read === 'busy') return isBusy
    if (!read.ok) return platformError(422, 'TE_04', read.problem)
    const { warnings, lines, currency } = read.invoice
    const period = query.period ?? read.invoice.period
    const days = await settledDaysOf(dependencies, request, { connector, account })
    const settled = settledIn(days, currency, period)
    const place = { merchantId: merchantOf(request), connector, account, invoiceRef }
    // A file takes its time: meanwhile the merchant may have been closed, and its id be that of another one.
    await states.readIndex(place.merchantId)
    if (lifeOf(request) !== life) return merchantUnknown
    const outcome = await runInvoiceCommand(dependencies, request, {
      type: 'IngestInvoice',
      ...place,
      invoice: { lines, currency, period },
      settled,
      at: now(),
    })
    if (!outcome.accepted) return refusedInvoice(outcome.rejection)
    if (!outcome.state.registered) return merchantUnknown
    const added = addOnOfInvoice(lines, settled)
    const told = [...warningsOf(added, currency, days), ...warnings]
    const body = printIngested({ ...place, period, currency, warnings: told }, added)
    return { status: 200, body, headers: positionHeaders(outcome.position) }
  }

  return {
    spec: { ...costSpec('POST', 'connectors/:connector/invoice'), body: 'stream', streamBytesMax: INVOICE_BYTES_MAX },
    api: {
      summary: 'Take the invoice of an account in: a CSV or PDF file',
      query: invoiceQuerySchemas,
      answer: ingestedAnswer,
      refusals: {
        400: 'No account, an empty file or a form, or too many accounts with invoices',
        409: 'Others changed it at the same time; try again',
        413: 'The file is larger than 32 MiB',
        422: 'The file is no invoice, or the connector is none whose invoices are understood',
        503: 'Too many invoices are read at the moment',
      },
    },
    handle: async (request) => {
      const connector = connectorOf(request)
      if (connector === undefined) return badConnector
      const query = parseInvoiceQuery(request.query)
      if (!query.ok) return query.reply
      if (!INVOICED_CONNECTORS.has(connector)) return noInvoices
      if (isForm(request)) return isWithinForm
      const owner = merchantOf(request)
      return places.isFree(owner) ? await places.within(owner, () => ingest(request, connector, query.value)) : isBusy
    },
  }
}
