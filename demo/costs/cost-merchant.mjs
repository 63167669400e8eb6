import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Share of the amount that an approved payment earns: what cost is weighed against. */
export const MARGIN = 0.12
const POLL_MS = 200
/** By then the decisions are projected. */
const COUNT_TIMEOUT_MS = 30_000
/** By then every report of a default run is taken in, on a slow machine too. */
const INGESTION_TIMEOUT_MS = 900_000

const scoring = {
  type: 'successRate',
  data: { defaultBucketSize: 200, defaultHedgingPercent: 10, subLevelInputConfig: [], margin: MARGIN },
}

const checked = async (response, path) => {
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: status ${response.status}, ${text.slice(0, 500)}`)
  return text === '' ? null : JSON.parse(text)
}

/**
 * A fresh merchant with success-rate routing and a margin, and what the demo asks for it.
 *
 * @param {string} url
 * @param {import('../http-client.mjs').createHttpClient extends (...options: any) => infer Client ? Client : never} client
 * @param {string} adminSecret
 */
export const createCostMerchant = async (url, client, adminSecret) => {
  const merchantId = `demo_${randomUUID().slice(0, 8)}`
  const created = await client.post('/merchant-account/create', {
    headers: { 'x-admin-secret': adminSecret },
    body: { merchant_id: merchantId },
  })
  const headers = { 'x-api-key': created.api_key }
  await client.post('/rule/create', { headers, body: { merchant_id: merchantId, config: scoring } })
  const base = `${url}/merchant-account/${merchantId}`

  const get = async (path) => checked(await fetch(`${base}/${path}`, { headers }), path)

  /** Sends a report as it is written, a chunk at a time. */
  const upload = async ({ connector, account }, chunks) => {
    const path = `connectors/${connector}/report?account=${encodeURIComponent(account)}`
    const body = ReadableStream.from(encoded(chunks))
    const answer = await fetch(`${base}/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/csv' },
      body,
      duplex: 'half',
    })
    return (await checked(answer, path)).id
  }

  /** Waits until the reports are taken in; hears of the rows that were read. */
  const untilIngested = async (ids, onProgress) => {
    const deadline = Date.now() + INGESTION_TIMEOUT_MS
    for (;;) {
      const own = (await get('cost-ingestions')).filter(({ id }) => ids.includes(id))
      const failed = own.find(({ status }) => status === 'failed')
      if (failed !== undefined) throw new Error(`the report of ${failed.connector} was not taken in: ${failed.last_error}`)
      onProgress(own)
      if (own.length === ids.length && own.every(({ status }) => status === 'completed')) return own
      if (Date.now() > deadline) throw new Error(`the reports were not taken in within ${INGESTION_TIMEOUT_MS / 1000} s`)
      await delay(POLL_MS)
    }
  }

  /** The server's own account of what was saved in a currency, once it includes so many decisions that cost won. */
  const untilCounted = async (currency, wonCount) => {
    const deadline = Date.now() + COUNT_TIMEOUT_MS
    const query = new URLSearchParams({ merchant_id: merchantId, currency })
    for (;;) {
      const path = `/analytics/cost-savings?${query}`
      const { totals } = await checked(await fetch(`${url}${path}`, { headers: { ...headers, 'x-tenant-id': 'public' } }), path)
      if (totals.cost_won_count >= wonCount || Date.now() > deadline) return totals
      await delay(POLL_MS)
    }
  }

  return { merchantId, headers, get, upload, untilIngested, untilCounted }
}

function* encoded(chunks) {
  const encoder = new TextEncoder()
  for (const chunk of chunks) yield encoder.encode(chunk)
}
