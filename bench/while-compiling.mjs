import { setTimeout as pause } from 'node:timers/promises'
import { createHttpClient } from '../demo/http-client.mjs'
import { ADMIN_SECRET, openBench } from './http-bench.mjs'
import { learnClusters, uploadInvoice } from './learned-merchant.mjs'
import { alternate } from './measure.mjs'
import { createBenchMerchant, decisionTemplate } from './workload.mjs'

/** Decisions that are sent in a second while models are compiled: what is left of two cores has room for both. */
const COMPILING_RATE = 3_000
const COMPILE_EVERY_MS = 1_500

/**
 * Decisions at a steady rate while a model of so many clusters is compiled again and again, because invoices come; beside those while as
 * many invoices come of a merchant that has no model.
 *
 * @param {{ readonly clusterCount: number, readonly connectionCount: number, readonly durationMs: number, readonly warmingCount: number,
 *   readonly repeatCount: number, readonly primedPaymentCount: number }} sizes
 */
export const measureWhileCompiling = async (sizes) => {
  const { clusterCount, connectionCount, durationMs, warmingCount, repeatCount } = sizes
  const bench = await openBench({ ...sizes, templateOf: decisionTemplate })
  let invoiceCount = 0
  const load = { connectionCount, perSecondMax: COMPILING_RATE, request: bench.template }
  /** What an invoice adds is compiled into every cluster of its merchant. */
  const sendInvoices = async (merchant, signal) => {
    while (!signal.aborted) {
      invoiceCount += 1
      await uploadInvoice(bench.server.url, merchant, invoiceCount)
      await pause(COMPILE_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }
  const runBesideInvoicesOf = async (merchant) => {
    const ending = new AbortController()
    const sending = sendInvoices(merchant, ending.signal)
    const running = bench.runFresh((fresh) => bench.load.runFor(durationMs, fresh), load)
    const result = await running.finally(() => ending.abort())
    await sending
    return result
  }
  try {
    const { url, pid } = bench.server
    await learnClusters(url, bench.merchant, clusterCount)
    const client = createHttpClient({ url, connectionCountMax: 1 })
    const without = await createBenchMerchant(client, ADMIN_SECRET).finally(client.close)
    return await alternate({
      repeatCount,
      warmingCount,
      system: { pid, run: () => runBesideInvoicesOf(bench.merchant) },
      reference: { pid, run: () => runBesideInvoicesOf(without) },
    })
  } finally {
    await bench.stop()
  }
}
