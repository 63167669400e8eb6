import { domainCollections } from '@switchyard/composition'
import type { CollectionSpec, EventLog, Now, ReadStore, SchemaIds } from '@switchyard/kernel'
import type { Console } from './console.ts'

/** What the read store is opened with. */
export const OPERATOR_COLLECTIONS: readonly CollectionSpec[] = domainCollections

/** The log and the read store of the deployment, beside its services. */
export interface Engines {
  readonly log: EventLog
  readonly schemaIds: SchemaIds
  /** Asks the registry, where there is one, for schemas that are not known. */
  readonly learn: (ids: Iterable<number>) => Promise<void>
  readonly store: ReadStore
  /** An empty store on disk for what is computed on the way. */
  readonly openScratch: (collections: readonly CollectionSpec[]) => { readonly store: ReadStore; readonly remove: () => Promise<void> }
}

/** How a command gets at them: what it does not need stays closed. */
export interface Deployment extends Pick<Engines, 'openScratch'> {
  readonly openLog: () => Promise<Pick<Engines, 'log' | 'schemaIds' | 'learn'>>
  /** As one that only reads where that is enough: a writer makes collections and indexes, and needs the right to. */
  readonly openStore: (role: 'writer' | 'reader') => Promise<ReadStore>
  readonly console: Console
  readonly now: Now
}
