// What merchants say about costs, and reports from which costs are learned: every kind of event of it at least once.

const COLUMNS =
  'Record Type,Psp Reference,Payment Method Variant,Global Card Brand,Issuer Country,Settlement Currency,Payable (SC),Commission (SC),' +
  'Markup (SC),Scheme Fees (SC),Interchange (SC),ICSF details,Booking Date,Unique Terminal ID,Card Number'
const PAYMENT_COUNT = 300
/** So many that progress is told while they are read. */
const LARGE_PAYMENT_COUNT = 250_000

const line = (pctBps, date, index) => {
  const gross = 10 + ((index * 37) % 490)
  const fee = (gross * pctBps) / 10_000
  const parts = [gross - fee - 0.1, 0.1, 0, 0, fee].map((amount) => amount.toFixed(6)).join(',')
  return `Settled,P${index},visastandarddebit,visa,NL,EUR,${parts},"[{""t"":""ic"",""n"":""Consumer"",""bps"":20}]",${date} 10:00:00,,411111******1111`
}

/** A report of payments with one price. */
const report = (pctBps, date, count = PAYMENT_COUNT) =>
  [COLUMNS, ...Array.from({ length: count }, (_, index) => line(pctBps, date, index)), ''].join('\n')

const INVOICE = 'Description,Amount,Quantity,Currency\nProcessing Fees,4200,120000,EUR\nTurnover,7000000,,EUR\n'

/** Sets and clears all that people say about costs. */
const setCosts = async (ask) => {
  const cluster = encodeURIComponent('adyen|visa|visastandarddebit|debit|nl|eur|consumer')
  const fee = { pct_bps: 120, fixed: 0.1 }
  for (const place of ['connectors/stripe', `cost-clusters/${cluster}`]) {
    await ask(`PUT ${place}/fee-override`, fee)
    await ask(`DELETE ${place}/fee-override`)
  }
  await ask('PUT seed-costs', { rows: [{ psp: 'stripe', interchange_bps: 100, scheme_bps: 10, markup_bps: 20, fixed: 0.3 }] })
  await ask('DELETE seed-costs')
  const mapping = 'connectors/adyen/report/column-mapping?account=Golden'
  const sample = report(120, '2026-01-05').replace('Issuer Country', 'Land').slice(0, 2_000)
  await ask(`PUT ${mapping}`, { columns: { 'Issuer Country': 'Land' }, sample, truncated: true })
  await ask(`DELETE ${mapping}`)
  await ask('POST connectors/adyen/credentials', { account: 'Golden', webhook_secret: 'golden_hook', download_auth: 'user:golden' })
  await ask('DELETE connectors/adyen/credentials/Golden')
  await ask('POST connectors/adyen/invoice?account=Golden', INVOICE)
  await ask('DELETE connectors/adyen/invoice-addon')
}

/**
 * @param {(request: string, body?: unknown) => Promise<any>} call
 * @param {string} merchantId
 */
export const liveWithCosts = async (call, merchantId) => {
  const ask = (request, body) => call(request.replace(' ', ` /merchant-account/${merchantId}/`), body)
  const ingest = async (file) => {
    const { id } = await ask('POST connectors/adyen/report?account=Golden', file)
    for (;;) {
      const { status } = await ask(`GET cost-ingestions/${id}`)
      if (status === 'completed' || status === 'failed') return id
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await setCosts(ask)
  await ingest(report(120, '2025-06-05', LARGE_PAYMENT_COUNT))
  const changed = await ingest(report(180, '2026-03-05'))
  await ingest('no,such,columns\n1,2,3\n')
  await ask(`DELETE cost-ingestions/${changed}`)
}
