import type { Position } from './position.ts'

/** One part of a document key; keys are structured values, never joined strings (law 9). */
export type KeyPart = string | number

/**
 * What a document is found by, from the general to the particular. The row of a key, and of an index (its fields and then the
 * key), is at most 1,978 bytes long in all: UTF-8 and 2 bytes a string, 9 bytes a number.
 */
export type DocumentKey = readonly KeyPart[]

/**
 * A document of a read model. `position` is that of the last event it includes (law 7). A body is plain JSON data, plus
 * `Uint8Array` values at the top level of the body.
 */
export interface StoredDocument<Body> {
  readonly key: DocumentKey
  readonly position: Position
  readonly body: Body
}

/** Another order of a collection: top-level body fields (strings or numbers); documents that lack one are left out. */
export interface DeclaredIndex {
  readonly name: string
  readonly fields: readonly string[]
  /** One of the fields, which holds a list: its document stands there once for each member. A range names the member, in its prefix. */
  readonly each?: string
}

/** A collection and its indexes, declared when the store is opened, and with it all its generations (`generationName`). */
export interface CollectionSpec {
  readonly name: string
  readonly indexes: readonly DeclaredIndex[]
}

/** Writes a body, or removes it (`body: null`); a removed document still refuses what is older. A body handed over never changes again, but its byte arrays may. */
export interface DocumentWrite {
  readonly collection: string
  readonly key: DocumentKey
  readonly position: Position
  readonly body: object | null
}

/** `older`: the stored document includes this event or a later one already; nothing was changed. */
export type WriteOutcome = 'applied' | 'older'

/** An ordered page of documents. */
export interface RangeQuery {
  readonly collection: string
  /** Declared index to go by; without it, the order of the keys. */
  readonly index?: string
  /** Leading parts of the key (or of the index fields) that all documents share. */
  readonly prefix: DocumentKey
  /** Bounds of the part that follows the prefix, both inclusive; with one of them, a document that ends with the prefix is left out. */
  readonly from?: KeyPart
  readonly to?: KeyPart
  readonly order: 'ascending' | 'descending'
  readonly offset?: number
  readonly limit: number
}

/**
 * Read models: documents by key, ordered ranges, declared indexes, conditional batch writes. Order: numbers before
 * strings, numbers by value, strings by UTF-8 bytes, shorter keys before longer ones with the same beginning.
 */
export interface ReadStore {
  readonly get: <Body>(collection: string, key: DocumentKey) => Promise<StoredDocument<Body> | undefined>
  /** In the order of the keys asked for. */
  readonly getMany: <Body>(collection: string, keys: readonly DocumentKey[]) => Promise<readonly (StoredDocument<Body> | undefined)[]>
  readonly range: <Body>(query: RangeQuery) => Promise<readonly StoredDocument<Body>[]>
  /**
   * Writes each document unless the stored one is at the same or a later position of the same partition. Writes are
   * independent of each other and durable when the promise resolves; the outcomes are in the order of the writes.
   */
  readonly write: (writes: readonly DocumentWrite[]) => Promise<readonly WriteOutcome[]>
  /**
   * Forgets every document of a collection (or a generation), as if there had never been one: what was refused as older is
   * taken again. Dropping what is not there is no mistake. Nobody may write to it meanwhile.
   */
  readonly drop: (collection: string) => Promise<void>
  readonly close: () => Promise<void>
}
