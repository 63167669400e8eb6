import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createMongoStore } from '@switchyard/store-mongo'
import { MongoClient } from 'mongodb'
import { borrowServers } from '../infra/servers/servers.mjs'
import { summaryOf } from './statistics.mjs'

const DOCUMENT_COUNT = 4_000
/** As many as a projector hands over at a time. */
const BATCH_WRITE_COUNT = 500
const COLLECTION = { name: 'bench-v1', indexes: [{ name: 'by-time', fields: ['merchantId', 'at'] }] }
const REFERENCE = 'bench-unguarded'
const GATEWAYS = ['northpay', 'harbor', 'velocity']

/** What a projection keeps of a payment, as it is after `turn` changes. */
const bodyOf = (index, turn) => ({
  merchantId: `m_${index % 4}`,
  paymentId: `pay_${index}`,
  at: 1_700_000_000_000 + index,
  gateway: GATEWAYS[index % GATEWAYS.length],
  amount: 49.9 + turn,
  currency: 'EUR',
  timeline: [0, 1, 2].map((step) => ({
    flow: 'decide_gateway_decision',
    at: 1_700_000_000_000 + step,
    status: 'success',
    note: 'x'.repeat(80),
  })),
})

const batches = function* (turn) {
  for (let first = 0; first < DOCUMENT_COUNT; first += BATCH_WRITE_COUNT) {
    yield Array.from({ length: BATCH_WRITE_COUNT }, (_, index) => ({ index: first + index, body: bodyOf(first + index, turn) }))
  }
}

const rateOf = async (turn, write) => {
  const all = [...batches(turn)]
  const startedAt = performance.now()
  for (const batch of all) await write(batch)
  return DOCUMENT_COUNT / ((performance.now() - startedAt) / 1000)
}

const guarded = (store, turn) => async (batch) => {
  const outcomes = await store.write(
    batch.map(({ index, body }) => ({
      collection: COLLECTION.name,
      key: [`m_${index % 4}`, index],
      position: { partition: 0, offset: turn },
      body,
    })),
  )
  if (outcomes.some((outcome) => outcome !== 'applied')) throw new Error('a document was not written')
}

const unguarded = (collection) => async (batch) => {
  const operations = batch.map(({ index, body }) => ({ replaceOne: { filter: { _id: index }, replacement: { body }, upsert: true } }))
  await collection.bulkWrite(operations, { ordered: false, writeConcern: { w: 'majority', journal: true } })
}

const measureAt = async (uri, repeatCount) => {
  const store = createMongoStore({ uri, collections: [COLLECTION], role: 'writer' })
  const client = new MongoClient(uri)
  try {
    const reference = client.db().collection(REFERENCE)
    await reference.createIndex({ 'body.merchantId': 1, 'body.at': 1, _id: 1 })
    const rates = []
    // The first turn inserts and warms up; in the others every document is replaced, as a projector does.
    for (let turn = 0; turn <= repeatCount; turn += 1) {
      rates.push({ store: await rateOf(turn, guarded(store, turn)), driver: await rateOf(turn, unguarded(reference)) })
    }
    const measured = rates.slice(1)
    return {
      documentCount: DOCUMENT_COUNT,
      perSecond: summaryOf(measured.map((rate) => rate.store)),
      referencePerSecond: summaryOf(measured.map((rate) => rate.driver)),
      throughputRatio: summaryOf(measured.map((rate) => rate.store / rate.driver)),
    }
  } finally {
    await client.db().dropDatabase()
    await client.close()
    await store.close()
  }
}

/**
 * Documents a second into MongoDB, as a projector writes them, beside the driver's own unguarded writes. What is measured is the
 * server that is there: a stand-in's speed says nothing about MongoDB.
 *
 * @param {{ readonly repeatCount: number }} options
 */
export const measureStoreWrites = async ({ repeatCount }) => {
  const { file, release } = await borrowServers()
  try {
    const { mongodbUri } = JSON.parse(readFileSync(file, 'utf8')).addresses
    const uri = mongodbUri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/bench-${randomUUID()}`)
    return await measureAt(uri, repeatCount)
  } finally {
    await release()
  }
}
