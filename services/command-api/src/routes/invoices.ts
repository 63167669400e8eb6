import { type InvoiceAddOns, invoiceAddOns, reconcile, settledIn } from '@switchyard/costs'
import type { Route, RouteRequest } from '@switchyard/http'
import { badConnector, connectorOf, costSpec, merchantOf } from './cost-replies.ts'
import { addOnsAnswer, printAddOn, printReconciliation, reconciliationAnswer } from './invoice-answers.ts'
import { type InvoiceRouteDependencies, refusedInvoice, runInvoiceCommand, settledDaysOf } from './invoice-commands.ts'
import { accountOf, accountSchema, badAccount } from './invoice-query.ts'
import { invoiceUploadRoute } from './invoice-upload.ts'
import { positionHeaders } from './routing-replies.ts'

const NOTHING_SETTLED = { gross: 0, count: 0, fees: 0 }

const removeRoute = (dependencies: InvoiceRouteDependencies): Route => ({
  spec: costSpec('DELETE', 'connectors/:connector/invoice-addon'),
  api: {
    summary: 'End what the invoices of a connector add, of all its accounts or of one',
    status: 204,
    query: { account: accountSchema },
    refusals: { 400: 'A connector or an account that can be none', 409: 'Others changed it at the same time; try again' },
  },
  handle: async (request) => {
    const connector = connectorOf(request)
    if (connector === undefined) return badConnector
    const account = request.query.has('account') ? accountOf(request.query) : null
    if (account === undefined) return badAccount
    const command = { type: 'RemoveInvoiceAddOn', merchantId: merchantOf(request), connector, account, at: dependencies.now() } as const
    const outcome = await runInvoiceCommand(dependencies, request, command)
    return outcome.accepted ? { status: 204, headers: positionHeaders(outcome.position) } : refusedInvoice(outcome.rejection)
  },
})

/** Invoices and what they add (cost.md 11), by account. */
export const invoiceRoutes = (dependencies: InvoiceRouteDependencies): readonly Route[] => {
  const { states } = dependencies

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
      const compared = (await addOnsOf(request)).map(async (addOn) => {
        const days = await settledDaysOf(dependencies, request, addOn)
        const reconciled = reconcile(addOn, settledIn(days, addOn.currency, addOn.period) ?? NOTHING_SETTLED)
        return reconciled === null ? [] : [printReconciliation(addOn, reconciled)]
      })
      return { status: 200, body: (await Promise.all(compared)).flat() }
    },
  }
  return [invoiceUploadRoute(dependencies), removeRoute(dependencies), list, reconciliation]
}
