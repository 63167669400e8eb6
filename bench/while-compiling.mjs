import { setTimeout as pause } from 'node:timers/promises'
import { openBench } from './http-bench.mjs'
import { learnClusters, uploadInvoice } from './learned-merchant.mjs'
import { alternate } from './measure.mjs'
import { decisionTemplate } from './workload.mjs'

/** Decisions that are sent in a second while models are compiled: what is left of two cores has room for both. */
const COMPILING_RATE = 3_000
const COMPILE_EVERY_MS = 1_500

/**
 * Decisions at a steady rate while a model of so many clusters is compiled again and again, beside those without that.
 *
 * @param {{ readonly clusterCount: number, readonly connectionCount: number, readonly durationMs: number, readonly repeatCount: number,
 *   readonly primedPaymentCount: number }} sizes
 */
export const measureWhileCompiling = async (sizes) => {
  const { clusterCount, connectionCount, durationMs, repeatCount } = sizes
  const bench = await openBench({ ...sizes, templateOf: decisionTemplate })
  let invoiceCount = 0
  const load = { connectionCount, perSecondMax: COMPILING_RATE, request: bench.template }
  const run = () => bench.runFresh((fresh) => bench.load.runFor(durationMs, fresh), load)
  /** What an invoice adds is compiled into every cluster. */
  const compileAgain = async (signal) => {
    while (!signal.aborted) {
      invoiceCount += 1
      await uploadInvoice(bench.server.url, bench.merchant, invoiceCount)
      await pause(COMPILE_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }
  const runBeside = async () => {
    const ending = new AbortController()
    const compiling = compileAgain(ending.signal)
    const result = await run().finally(() => ending.abort())
    await compiling
    return result
  }
  try {
    await learnClusters(bench.server.url, bench.merchant, clusterCount)
    const { pid } = bench.server
    return await alternate({ repeatCount, system: { pid, run: runBeside }, reference: { pid, run } })
  } finally {
    await bench.stop()
  }
}
