import { expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { readStorePart } from './read-store-part.ts'

const WAITING = 'the read store does not answer; the start waits for it'

test.each([
  ['mongodb://ann:p%40ss@a.internal:27017,b.internal/payments?tls=true', `${WAITING} at a.internal:27017,b.internal`],
  ['mongodb+srv://cluster.internal', `${WAITING} at cluster.internal`],
  ['mongodb://ann:p@ss@a.internal/payments', WAITING],
  [undefined, WAITING],
])('a read store that is away is told by its hosts, and never by a password: %s', async (uri, line) => {
  const stopping = new AbortController()
  const told = new Promise((resolve) => {
    const store = {
      ...createMemoryStore({ collections: [] }),
      get: () => Promise.reject(new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })),
    }
    const started = readStorePart(store, { report: { info: () => {}, failed: resolve } }, uri).start(stopping.signal)
    started.catch(() => {})
  })
  expect(await told).toBe(line)
  stopping.abort()
})
