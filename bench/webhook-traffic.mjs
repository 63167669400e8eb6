import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createHttpClient } from '../demo/http-client.mjs'
import { ADMIN_SECRET } from './http-bench.mjs'
import { createBenchMerchant } from './workload.mjs'

const RECEIVERS = fileURLToPath(new URL('./webhook-receivers.mjs', import.meta.url))
const LOAD = fileURLToPath(new URL('./webhook-load.mjs', import.meta.url))

/** Of a server that sends to receivers on this machine. */
export const WEBHOOK_ENVIRONMENT = {
  SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET,
  SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
}

/** What all endpoints sign with, so that receivers can check it. */
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

const inOwnProcess = (file, task) => fork(file, [JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

/** The next message of a process; rejects when it ends without one. */
export const messageOf = async (child) => {
  const ended = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`a process of the benchmark ended with code ${code} and without a result`)
      }),
    ])
  } finally {
    ended.abort()
  }
}

/** Receivers in a process of their own; their first message names them. */
export const startReceivers = (kinds) => inOwnProcess(RECEIVERS, { ...kinds, secret: SECRET })

/** Producers of events in a process of their own; their message tells what was accepted. */
export const startEventLoad = (task) => inOwnProcess(LOAD, task)

const configure = async (url, { merchantId, headers }, receiver) => {
  const response = await fetch(`${url}/merchant-account/${merchantId}/webhook-endpoint`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_url: receiver.url, secret: SECRET }),
  })
  if (!response.ok) throw new Error(`an endpoint could not be configured: ${response.status} ${await response.text()}`)
  return { merchantId, headers, kind: receiver.kind }
}

/** A merchant with one endpoint for each receiver. */
export const configureEndpoints = async (url, receivers) => {
  const client = createHttpClient({ url, connectionCountMax: 1 })
  const endpoints = []
  for (const receiver of receivers) endpoints.push(await configure(url, await createBenchMerchant(client, ADMIN_SECRET), receiver))
  client.close()
  return endpoints
}
