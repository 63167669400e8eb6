import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { clusterReport } from './cost-model.mjs'

const ACCOUNT = 'Bench'
const POLL_MS = 200
const LEARNING_MAX_MS = 300_000

const ask = async (url, { merchantId, headers }, path, options = {}) => {
  const response = await fetch(new URL(`/merchant-account/${merchantId}/${path}`, url), {
    ...options,
    headers: { ...headers, 'content-type': 'text/csv' },
  })
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
  return await response.json()
}

/** Lets a merchant learn what so many clusters cost, from a report that is uploaded. */
export const learnClusters = async (url, merchant, clusterCount) => {
  const body = Readable.toWeb(Readable.from(clusterReport(clusterCount), { objectMode: false }))
  const { id } = await ask(url, merchant, `connectors/adyen/report?account=${ACCOUNT}`, { method: 'POST', body, duplex: 'half' })
  const startedAt = performance.now()
  while (performance.now() - startedAt < LEARNING_MAX_MS) {
    const found = (await ask(url, merchant, 'cost-ingestions')).find((ingestion) => ingestion.id === id)
    if (found?.status === 'completed') return
    if (found?.status === 'failed') throw new Error(`the report failed: ${found.last_error}`)
    await pause(POLL_MS)
  }
  throw new Error('the report was not learned from in time')
}

/** An invoice whose additions differ from those of the one before. */
export const uploadInvoice = async (url, merchant, number) => {
  const body = `Description,Amount,Quantity,Currency\nProcessing Fees,${1_000 + number},100000,EUR\nTurnover,1000000,,EUR\n`
  await ask(url, merchant, `connectors/adyen/invoice?account=${ACCOUNT}`, { method: 'POST', body })
}
