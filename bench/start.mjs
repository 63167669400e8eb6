import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { ADMIN_SECRET } from './http-bench.mjs'
import { inOwnProcess } from './own-process.mjs'
import { REPLAYED_MERCHANTS } from './replay-events.mjs'
import { summaryOf } from './statistics.mjs'

const WORKER = fileURLToPath(new URL('./start-worker.mjs', import.meta.url))
const GATEWAYS = ['adyen', 'checkout', 'stripe', 'worldpay']

/** Starts a server on a data folder, uses it, and ends it; gives the milliseconds until it was ready, with those of its process. */
const startOn = async (folder, use = async () => {}) => {
  const startedAt = performance.now()
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET, SWITCHYARD_DATA_DIR: folder } })
  const readyMs = performance.now() - startedAt
  try {
    await use(server.url)
  } finally {
    await server.stop()
  }
  return readyMs
}

const inFreshFolder = async (run) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-start-'))
  try {
    return await run(join(folder, 'data'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Registers the merchants of the history; gives the key of the first. */
const registerMerchants = async (url) => {
  const client = createHttpClient({ url, connectionCountMax: 1 })
  const keys = []
  for (const merchant_id of REPLAYED_MERCHANTS) {
    const { api_key } = await client.post('/merchant-account/create', {
      headers: { 'x-admin-secret': ADMIN_SECRET },
      body: { merchant_id },
    })
    keys.push(api_key)
  }
  client.close()
  return keys[0]
}

/** Ready means: decisions know the history. Every gateway of it failed now and then, so no score is one. */
const assertLearned = async (url, key) => {
  const paymentInfo = {
    paymentId: 'pay_after_start',
    amount: 10,
    currency: 'EUR',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
  }
  const client = createHttpClient({ url, connectionCountMax: 1 })
  const { gateway_priority_map: scores } = await client.post('/decide-gateway', {
    headers: { 'x-api-key': key },
    body: { merchantId: REPLAYED_MERCHANTS[0], eligibleGatewayList: GATEWAYS, rankingAlgorithm: 'SR_BASED_ROUTING', paymentInfo },
  })
  client.close()
  if (Object.values(scores).every((score) => score === 1)) throw new Error('the server was ready and knew nothing of the history')
}

/**
 * How long a server takes from its command to being ready, with so many events in its log and a snapshot behind them; beside one that
 * starts with nothing.
 *
 * @param {{ readonly startEventCount: number, readonly longRepeatCount: number }} sizes
 */
export const measureStart = async ({ startEventCount, longRepeatCount }) =>
  await inFreshFolder(async (folder) => {
    let key
    await startOn(folder, async (url) => {
      key = await registerMerchants(url)
    })
    const written = await inOwnProcess(WORKER, { name: 'write', folder, eventCount: startEventCount })
    const turns = []
    // The first turn warms up.
    for (let turn = 0; turn <= longRepeatCount; turn += 1) {
      const readyMs = await startOn(folder, (url) => assertLearned(url, key))
      const emptyMs = await inFreshFolder((empty) => startOn(empty))
      if (turn > 0) turns.push({ readyMs, emptyMs })
    }
    return {
      ...written,
      readyMs: summaryOf(turns.map(({ readyMs }) => readyMs)),
      emptyMs: summaryOf(turns.map(({ emptyMs }) => emptyMs)),
      ratio: summaryOf(turns.map(({ readyMs, emptyMs }) => readyMs / emptyMs)),
    }
  })
