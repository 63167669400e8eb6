// oxlint-disable jest/expect-expect, jest/valid-title, jest/no-disabled-tests -- the tests are defined here for those who name them
import { test } from '@jest/globals'
import type { CollectionSpec, DocumentKey, DocumentWrite, ReadStore } from '@switchyard/kernel'

/** The collections of all tests of the suite. */
export const COLLECTIONS: readonly CollectionSpec[] = [
  { name: 'plain-v1', indexes: [] },
  {
    name: 'payments-v1',
    indexes: [
      { name: 'by-time', fields: ['at'] },
      { name: 'by-gateway', fields: ['gateway', 'at'] },
      { name: 'by-request', fields: ['merchantId', 'requestIds', 'at'], each: 'requestIds' },
    ],
  },
]

/** A store that is open for one test. */
export interface OpenedStore {
  readonly store: ReadStore
  /** A handle of its own onto the same store, as another thread or process would have it. */
  readonly openAnother: () => Promise<ReadStore>
  /** Closes and removes everything. */
  readonly dispose: () => Promise<void>
}

/**
 * How the suite gets at an adapter. What an adapter can't do is left out; the tests that need it are then reported as
 * skipped, by name.
 */
export interface ReadStoreAdapter<Opened extends OpenedStore> {
  /** A new, empty store with these collections. */
  readonly open: (collections: readonly CollectionSpec[]) => Promise<Opened>
  /** Closes the store and opens what it holds, with these collections. */
  readonly reopen?: (opened: Opened, collections: readonly CollectionSpec[]) => Promise<Opened>
}

/** A test with a store of its own. */
export const storeTest = <Opened extends OpenedStore>(
  adapter: ReadStoreAdapter<Opened>,
  name: string,
  run: (opened: Opened) => Promise<void>,
): void => {
  test(name, async () => {
    const opened = await adapter.open(COLLECTIONS)
    try {
      await run(opened)
    } finally {
      await opened.dispose()
    }
  })
}

/** A test of something that not every adapter can do; skipped by name where `capability` is missing. */
export const storeTestWith = <Opened extends OpenedStore, Capability>(
  adapter: ReadStoreAdapter<Opened>,
  capability: Capability | undefined,
  name: string,
  run: (opened: Opened, capability: Capability) => Promise<void>,
): void => {
  if (capability === undefined) test.skip(name, () => {})
  else storeTest(adapter, name, async (opened) => await run(opened, capability))
}

/** A write to `plain-v1` at an offset of partition 0. */
export const plain = (key: DocumentKey, offset: number, body: object | null): DocumentWrite => ({
  collection: 'plain-v1',
  key,
  position: { partition: 0, offset },
  body,
})

/** A write to `payments-v1`, the collection with indexes. */
export const payment = (key: DocumentKey, offset: number, body: object | null): DocumentWrite => ({
  ...plain(key, offset, body),
  collection: 'payments-v1',
})
