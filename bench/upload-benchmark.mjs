import { request } from 'node:http'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { startLoad } from './load.mjs'
import { alternate } from './measure.mjs'
import { startUploadReference } from './reference.mjs'
import { createBenchMerchant, decisionTemplate, GATEWAYS, ID_WIDTH } from './workload.mjs'

const ADMIN_SECRET = 'bench_admin_secret'
const CONNECTION_COUNT = 20
const STATUSES = ['CHARGED', 'FAILURE']

/** Each payment is reported once by each gateway with each status: no two lines of an upload are equal. */
const paymentCountOf = (outcomeCount) => Math.ceil(outcomeCount / GATEWAYS.length / STATUSES.length)

const uploadOf = (merchantId, outcomeCount) => {
  const paymentCount = paymentCountOf(outcomeCount)
  const lines = []
  for (let number = 0; lines.length < outcomeCount; number += 1) {
    const paymentId = `pay_${String(number % paymentCount).padStart(ID_WIDTH, '0')}`
    const turn = Math.floor(number / paymentCount)
    const gateway = GATEWAYS[turn % GATEWAYS.length]
    lines.push(
      JSON.stringify({
        merchantId,
        gateway,
        paymentId,
        status: STATUSES[(turn / GATEWAYS.length) | 0],
        txnLatency: { gatewayLatency: 120 },
      }),
    )
  }
  return Buffer.from(lines.join('\n'))
}

/** Sends one upload and counts the lines of its answer that say `accepted`. */
const send = (port, headers, body) =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now()
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/update-gateway-score/batch', headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const acceptedCount = Buffer.concat(chunks).toString().split('"accepted"').length - 1
        resolve({ acceptedCount, durationMs: performance.now() - startedMs })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const runOf =
  ({ port, headers, body, outcomeCount }) =>
  async () => {
    const { acceptedCount, durationMs } = await send(port, headers, body)
    if (acceptedCount !== outcomeCount) throw new Error(`${outcomeCount - acceptedCount} of ${outcomeCount} outcomes were not accepted`)
    return {
      answeredCount: outcomeCount,
      perSecond: (outcomeCount / durationMs) * 1_000,
      p50Ms: durationMs,
      p99Ms: durationMs,
      clientCoreShare: 0,
    }
  }

/** Outcomes per second of one upload of many, each acknowledged when it is durable, of decided payments. */
export const measureUploads = async ({ repeatCount, warmingCount, uploadOutcomeCount: outcomeCount }) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const load = startLoad()
  const reference = await startUploadReference()
  try {
    const merchant = await createBenchMerchant(client, ADMIN_SECRET)
    const port = Number(new URL(server.url).port)
    const decided = { port, connectionCount: CONNECTION_COUNT, request: decisionTemplate(merchant), numbers: { from: 0, poolCount: null } }
    await load.runCount(paymentCountOf(outcomeCount), decided)
    const body = uploadOf(merchant.merchantId, outcomeCount)
    return await alternate({
      repeatCount,
      warmingCount,
      system: { pid: server.pid, run: runOf({ port, headers: merchant.headers, body, outcomeCount }) },
      reference: { pid: reference.pid, run: runOf({ port: reference.port, headers: {}, body, outcomeCount }) },
    })
  } finally {
    load.stop()
    client.close()
    await reference.stop()
    await server.stop()
  }
}
