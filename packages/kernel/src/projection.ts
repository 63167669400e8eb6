import type { DocumentKey } from './read-store.ts'

/**
 * A read model kept as documents: a pure fold of events into views. Its `name` is collection and checkpoint, and never
 * changes; raise the suffix to build a new generation beside the old one.
 */
export interface DocumentProjection<View extends object, Event> {
  readonly name: string
  /** Documents that this event changes; none when it is of no interest. */
  readonly keysOf: (event: Event) => readonly DocumentKey[]
  readonly initialView: (key: DocumentKey) => View
  /**
   * The first parts of the keys of documents that end with this event: all of them are removed, and the event changes none.
   * Undefined, as without this function: none do.
   */
  readonly endedBy?: (event: Event) => DocumentKey | undefined
  /** Copy-on-write; returns the same view when nothing changed. */
  readonly project: (view: View, event: Event, key: DocumentKey) => View
}
