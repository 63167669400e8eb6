import { merchants } from '@switchyard/access'
import {
  addOnOfInvoice,
  type InvoiceAddOns,
  type InvoiceAddOnsCommand,
  type InvoiceAddOnsRejection,
  invoiceAddOns,
  reconcile,
  type SettledDay,
  settledIn,
} from '@switchyard/costs'
import { type BodyStream, bodyStreamOf, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { INVOICE_BYTES_MAX, type InvoiceReader } from '@switchyard/invoice-files'
import { assertNever, type Now } from '@switchyard/kernel'
import type { CommandOutcome, HandleCommand, StreamStates } from '@switchyard/runtime'
import { badConnector, changedMeanwhile, connectorOf, costSpec, merchantOf, merchantUnknown, originOf } from './cost-replies.ts'
import { addOnsAnswer, ingestedAnswer, printAddOn, printIngested, printReconciliation, reconciliationAnswer } from './invoice-answers.ts'
import { accountOf, badAccount, type InvoiceQuery, invoiceQuerySchemas, parseInvoiceQuery } from './invoice-query.ts'
import { positionHeaders } from './routing-replies.ts'

/** Connectors whose invoices are understood (cost.md 11). */
const INVOICED_CONNECTORS: ReadonlySet<string> = new Set(['adyen'])

/** What the routes of invoices need. */
export interface InvoiceRouteDependencies {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex'>
  readonly invoices: InvoiceReader
  /** What was settled on the days of an account of this registration; empty before a report of it was learned from. */
  readonly readSettledDays: (account: {
    readonly merchantId: string
    readonly merchantRegistrationCount: number
    readonly connector: string
    readonly account: string
  }) => Promise<readonly SettledDay[]>
  readonly now: Now
}

type Rejection = InvoiceAddOnsRejection | { readonly code: 'CONFLICT' }

const noInvoices = platformError(
  422,
  'TE_04',
  `connector: its invoices are not understood; only those of ${[...INVOICED_CONNECTORS].join(', ')} are`,
)
const isEmpty = platformError(400, 'TE_04', 'body: is empty; send the invoice as it is, a CSV or PDF file')
const isTooLarge = platformError(413, 'TE_03', `body: an invoice has at most ${INVOICE_BYTES_MAX} bytes`)
const isBusy: RouteReply = {
  ...platformError(503, 'TE_01', 'Too many invoices are read at the moment; try again'),
  headers: { 'retry-after': '5' },
}

const refusal = (rejection: Rejection): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return merchantUnknown
    case 'TOO_MANY_INVOICES':
      return platformError(400, 'TE_04', `account: no more than ${rejection.limit} accounts can have an invoice; remove one first`)
    case 'CONFLICT':
      return changedMeanwhile
    default:
      return assertNever(rejection)
  }
}

/** All bytes of a body; undefined when there are too many. */
const bytesOf = async (body: BodyStream): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body) {
    byteCount += chunk.length
    if (byteCount > INVOICE_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(byteCount)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return body.isCut() ? undefined : bytes
}

const REFUSALS = {
  400: 'No account, an empty file, or too many accounts with invoices',
  409: 'Others changed it at the same time; try again',
  413: 'The file is larger than 32 MiB',
  422: 'The file is no invoice, or the connector is none whose invoices are understood',
  503: 'Too many invoices are read at the moment',
}

/** Invoices (cost.md 11): what they charge beside the fees of payments is added to learned costs before the upload is answered. */
export const invoiceRoutes = (dependencies: InvoiceRouteDependencies): readonly Route[] => {
  const { handle, states, invoices, readSettledDays, now } = dependencies

  const run = (request: RouteRequest, command: InvoiceAddOnsCommand): Promise<CommandOutcome<InvoiceAddOns, Rejection>> =>
    handle(invoiceAddOns, { key: command.merchantId, command, origin: originOf(request) })

  const daysOf = (merchantId: string, connector: string, account: string): Promise<readonly SettledDay[]> =>
    readSettledDays({ merchantId, merchantRegistrationCount: states.stateOf(merchants, merchantId).registrationCount, connector, account })

  const ingest = async (request: RouteRequest, connector: string, query: InvoiceQuery): Promise<RouteReply> => {
    const bytes = await bytesOf(bodyStreamOf(request))
    if (bytes === undefined) return isTooLarge
    if (bytes.length === 0) return isEmpty
    const read = await invoices.read(bytes)
    if (read === 'busy') return isBusy
    if (!read.ok) return platformError(422, 'TE_04', read.problem)
    const { warnings, ...told } = read.invoice
    const invoice = { ...told, period: query.period ?? told.period }
    const { account, invoiceRef } = query
    const merchantId = merchantOf(request)
    const settled = settledIn(await daysOf(merchantId, connector, account), invoice.currency, invoice.period)
    const at = now()
    const outcome = await run(request, { type: 'IngestInvoice', merchantId, connector, account, invoiceRef, invoice, settled, at })
    if (!outcome.accepted) return refusal(outcome.rejection)
    if (!outcome.state.registered) return merchantUnknown
    const { period, currency } = invoice
    const body = printIngested(
      { merchantId, connector, account, invoiceRef, period, currency, warnings },
      addOnOfInvoice(invoice.lines, settled),
    )
    return { status: 200, body, headers: positionHeaders(outcome.position) }
  }

  const upload: Route = {
    spec: { ...costSpec('POST', 'connectors/:connector/invoice'), body: 'stream' },
    api: {
      summary: 'Take the invoice of an account in: a CSV or PDF file',
      query: invoiceQuerySchemas,
      answer: ingestedAnswer,
      refusals: REFUSALS,
    },
    handle: async (request) => {
      const connector = connectorOf(request)
      if (connector === undefined) return badConnector
      const query = parseInvoiceQuery(request.query)
      if (!query.ok) return query.reply
      return INVOICED_CONNECTORS.has(connector) ? await ingest(request, connector, query.value) : noInvoices
    },
  }

  const remove: Route = {
    spec: costSpec('DELETE', 'connectors/:connector/invoice-addon'),
    api: {
      summary: 'End what the invoices of a connector add, of all its accounts or of one',
      status: 204,
      query: { account: invoiceQuerySchemas['account'] ?? ingestedAnswer },
      refusals: { 400: 'A connector or an account that can be none', 409: REFUSALS[409] },
    },
    handle: async (request) => {
      const connector = connectorOf(request)
      if (connector === undefined) return badConnector
      const account = request.query.has('account') ? accountOf(request.query) : null
      if (account === undefined) return badAccount
      const outcome = await run(request, { type: 'RemoveInvoiceAddOn', merchantId: merchantOf(request), connector, account, at: now() })
      return outcome.accepted ? { status: 204, headers: positionHeaders(outcome.position) } : refusal(outcome.rejection)
    },
  }

  const addOnsOf = async (request: RouteRequest): Promise<InvoiceAddOns['addOns']> => {
    const merchantId = merchantOf(request)
    await states.readIndex(merchantId)
    return [...states.stateOf(invoiceAddOns, merchantId).addOns].sort((one, other) =>
      `${one.connector} ${one.account}` < `${other.connector} ${other.account}` ? -1 : 1,
    )
  }

  const list: Route = {
    spec: costSpec('GET', 'invoice-addons'),
    api: { summary: 'What invoices add to learned costs', answer: addOnsAnswer },
    handle: async (request) => ({ status: 200, body: (await addOnsOf(request)).map(printAddOn) }),
  }

  const reconciliation: Route = {
    spec: { ...costSpec('GET', 'invoice-reconciliation'), servedBy: 'read-models' },
    api: { summary: 'How much of each invoice learned costs and its add-on explain', answer: reconciliationAnswer },
    handle: async (request) => {
      const compared = await Promise.all(
        (await addOnsOf(request)).map(async (addOn) => {
          const days = await daysOf(merchantOf(request), addOn.connector, addOn.account)
          const settled = settledIn(days, addOn.currency, addOn.period) ?? { gross: 0, count: 0, fees: 0 }
          const reconciled = reconcile(addOn, settled)
          return reconciled === null ? [] : [printReconciliation(addOn, reconciled)]
        }),
      )
      return { status: 200, body: compared.flat() }
    },
  }
  return [upload, remove, list, reconciliation]
}
