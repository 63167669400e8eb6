import { randomInt } from 'node:crypto'
import { type CollectionSpec, type Now, OperatingError, type ReadStore } from '@switchyard/kernel'

/** Steps that show what works of a datastore, in this order; a step that fails rejects. */
export interface DatastoreProbe {
  readonly connect: () => Promise<void>
  readonly read: () => Promise<void>
  /** Writes a document and finds it again. */
  readonly write: () => Promise<void>
  /** Removes that document and no longer finds it. */
  readonly remove: () => Promise<void>
}

/** Documents that only probes write and read. */
export const healthProbesCollection: CollectionSpec = { name: 'health-probes-v1', indexes: [] }

/** `instance` tells apart processes that share a store, and should be the same after a restart. */
export interface DatastoreProbeDeps {
  readonly store: ReadStore
  readonly now: Now
  readonly instance: string
}

interface ProbeDocument {
  readonly probedAt: number
}

const PARTITION_MAX = 2 ** 31

const failed = (step: string): OperatingError =>
  new OperatingError('STORE_UNAVAILABLE', `the store accepted a ${step} that did not take effect`, { retryable: true })

/** A probe that really writes, reads and removes a document of the read store. */
export const createDatastoreProbe = ({ store, now, instance }: DatastoreProbeDeps): DatastoreProbe => {
  const collection = healthProbesCollection.name
  const key = [instance]
  // Writes are conditional on a growing position, but of the same partition only: what a process before this one has left refuses nothing,
  // whatever its clock was.
  const partition = randomInt(PARTITION_MAX)
  let offset = 0

  const put = async (body: ProbeDocument | null): Promise<void> => {
    offset += 1
    const [outcome] = await store.write([{ collection, key, position: { partition, offset }, body }])
    if (outcome !== 'applied') throw failed(body === null ? 'removal' : 'write')
  }

  return {
    connect: async () => {
      await store.get(collection, key)
    },
    read: async () => {
      await store.range({ collection, prefix: [], order: 'ascending', limit: 1 })
    },
    write: async () => {
      const probedAt = now()
      await put({ probedAt })
      const stored = await store.get<ProbeDocument>(collection, key)
      if (stored?.body.probedAt !== probedAt) throw failed('write')
    },
    remove: async () => {
      await put(null)
      if ((await store.get(collection, key)) !== undefined) throw failed('removal')
    },
  }
}
