import { expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { createDatastoreProbe, healthProbesCollection } from './datastore-probe.ts'

test('a process that starts again with its clock set back finds that it can write', async () => {
  const store = createMemoryStore({ collections: [healthProbesCollection] })
  const first = createDatastoreProbe({ store, now: () => 10_000_000, instance: 'query-api@host:8080' })
  await first.write()
  await first.remove()
  const again = createDatastoreProbe({ store, now: () => 10_000_000 - 2 * 3_600_000, instance: 'query-api@host:8080' })
  await expect(again.write()).resolves.toBeUndefined()
  await expect(again.remove()).resolves.toBeUndefined()
})
