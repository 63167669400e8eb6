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
  /** How the same is done without a copy for each event; absent: there is no such way. */
  readonly inPlace?: InPlaceFold<View, Event>
}

/** For documents that get many events between two writes, such as figures of a period. */
interface InPlaceFold<View extends object, Event> {
  /** A view that shares nothing with the one given that `change` changes. */
  readonly copyOf: (view: View) => View
  /** The view after an event: the draft (of `copyOf`), changed, or another that nobody else has; undefined when nothing changed. */
  readonly change: (draft: never, event: Event, key: DocumentKey) => View | undefined
}

type Folded<View extends object, Changing extends View, Event> = Pick<DocumentProjection<View, Event>, 'name' | 'keysOf' | 'endedBy'> & {
  readonly initialView: (key: DocumentKey) => NoInfer<View>
  readonly copyOf: (view: View) => Changing
  readonly change: (draft: Changing, event: Event, key: DocumentKey) => Changing | undefined
}

/** A projection whose documents are changed in place between two writes; its `project` does the same to a copy. */
export const foldedInPlace = <View extends object, Changing extends View, Event>({
  copyOf,
  change,
  ...projection
}: Folded<View, Changing, Event>): DocumentProjection<View, Event> => ({
  ...projection,
  inPlace: { copyOf, change },
  project: (view, event, key) => change(copyOf(view), event, key) ?? view,
})
