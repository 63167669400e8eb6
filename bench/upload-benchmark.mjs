import { request } from 'node:http'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { startLoad } from './load.mjs'
import { alternate } from './measure.mjs'
import { startUploadReference } from './reference.mjs'
import { createBenchMerchant, decisionTemplate } from './workload.mjs'

const ADMIN_SECRET = 'bench_admin_secret'
const CONNECTION_COUNT = 20
const OUTCOME_COUNT = 100_000
const GATEWAYS = ['gate_a', 'gate_b', 'gate_c']
const STATUSES = ['CHARGED', 'FAILURE']
/** Each payment is reported once by each gateway with each status: no two lines of an upload are equal. */
const PAYMENT_COUNT = Math.ceil(OUTCOME_COUNT / GATEWAYS.length / STATUSES.length)
const ID_WIDTH = 10

const uploadOf = (merchantId) => {
  const lines = []
  for (let number = 0; lines.length < OUTCOME_COUNT; number += 1) {
    const paymentId = `pay_${String(number % PAYMENT_COUNT).padStart(ID_WIDTH, '0')}`
    const turn = Math.floor(number / PAYMENT_COUNT)
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

const runOf = (port, headers, body) => async () => {
  const { acceptedCount, durationMs } = await send(port, headers, body)
  if (acceptedCount !== OUTCOME_COUNT) throw new Error(`${OUTCOME_COUNT - acceptedCount} of ${OUTCOME_COUNT} outcomes were not accepted`)
  return { perSecond: (OUTCOME_COUNT / durationMs) * 1_000, p50Ms: durationMs, p99Ms: durationMs, clientCoreShare: 0 }
}

/** Outcomes per second of one upload of a hundred thousand, each acknowledged when it is durable, of decided payments. */
export const measureUploads = async ({ repeatCount }) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const load = startLoad()
  const reference = await startUploadReference()
  try {
    const merchant = await createBenchMerchant(client, ADMIN_SECRET)
    const port = Number(new URL(server.url).port)
    const decided = { port, connectionCount: CONNECTION_COUNT, request: decisionTemplate(merchant), numbers: { from: 0, poolCount: null } }
    await load.runCount(PAYMENT_COUNT, decided)
    const body = uploadOf(merchant.merchantId)
    return await alternate({
      repeatCount,
      system: { pid: server.pid, run: runOf(port, merchant.headers, body) },
      reference: { pid: reference.pid, run: runOf(reference.port, {}, body) },
    })
  } finally {
    load.stop()
    client.close()
    await reference.stop()
    await server.stop()
  }
}
