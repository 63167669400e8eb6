import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { Cluster } from 'kafkajs'
import type { FetchedMessage } from './messages.ts'
import type { Reader } from './reader.ts'
import { startTail } from './tail.ts'

const message = (offset: number, traits: Partial<FetchedMessage> = {}): FetchedMessage => ({
  offset,
  key: Buffer.from('m'),
  value: Buffer.from('v'),
  headers: {},
  isControlRecord: false,
  ...traits,
})

/** Reads one partition, which gives these answers one after the other; `onEnd` hears that they are handled. */
const readerOf = (answers: readonly (readonly FetchedMessage[])[], onEnd: () => void): Reader => {
  const left = [...answers]
  const fetch = async () => {
    await nextTurn()
    if (left.length === 0) onEnd()
    return { responses: [{ topicName: 't', partitions: [{ partition: 0, messages: left.shift() ?? [] }] }] }
  }
  const cluster: object = {
    fetchTopicsOffset: async () => [{ topic: 't', partitions: [{ partition: 0, offset: '0' }] }],
    findLeaderForPartitions: () => ({ 1: [0] }),
    findBroker: async () => ({ lookupRequest: () => {}, fetch }),
  }
  return { use: (task) => task(cluster as Cluster), close: () => {} }
}

test('the end of a transaction is noted with what was read: it was told as a record that was deleted unread', async () => {
  const steps: string[] = []
  const end = message(1, { isControlRecord: true })
  const givenUp = message(2, { isAborted: true })
  await new Promise<void>((resolve) => {
    const tail = startTail(
      {
        topic: { name: 't', partitionCount: 1, hasTransactions: true },
        openReader: () => readerOf([[message(0), end], [givenUp]], () => void tail.stop().then(resolve)),
        topicMissingMaxMs: 1,
        assertOpen: () => {},
        onHandled: async (partition, offset) => void steps.push(`handled ${partition} up to ${offset}`),
      },
      { from: new Map(), handle: (records) => void steps.push(`${records.length} given`), onFailure: (error) => steps.push(String(error)) },
    )
  })
  expect(steps).toEqual(['1 given', 'handled 0 up to 1', 'handled 0 up to 2'])
})
