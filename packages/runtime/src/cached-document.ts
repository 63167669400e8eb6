import { assert, type DocumentKey, type Position } from '@switchyard/kernel'
import { SMALL_DOCUMENT_BYTES } from './limits.ts'
import { memoryOf } from './memory-of.ts'

/** A document projection over `Input`, whatever its views are. */
export interface ProjectionOf<Input> {
  readonly name: string
  readonly keysOf: (input: Input) => readonly DocumentKey[]
  readonly initialView: (key: DocumentKey) => object
  readonly project: (view: never, input: Input, key: DocumentKey) => object
  readonly inPlace?: {
    readonly copyOf: (view: never) => object
    readonly change: (draft: never, input: Input, key: DocumentKey) => object | undefined
  }
  readonly endedBy?: (input: Input) => DocumentKey | undefined
}

/** What the documents have to know of an input. */
export interface ProjectedInput {
  readonly position: Position
  /** Of its record. */
  readonly bytes: number
}

/** A document in memory. */
export interface CachedDocument<Input> {
  readonly projection: ProjectionOf<Input>
  readonly key: DocumentKey
  readonly id: string
  /** Undefined until the first event. */
  position: Position | undefined
  view: object
  /** Whether nobody else has the view: it may be changed in place. */
  isDraft: boolean
  /** Memory that the view took when that was looked at last; 0 before: small ones are bounded by their number. */
  bytes: number
  /** Of the records of the events that changed it since then. */
  addedBytes: number
}

/** One text a document; parts stand behind their length, so that no two keys are alike. Made several times an event: it has to be quick. */
export const idOf = (collection: string, key: DocumentKey): string => {
  let id = collection
  for (const part of key) id += typeof part === 'number' ? `#${part}` : `:${part.length}:${part}`
  return id
}

/** What a projection's `project` takes is unknown here; views come from its own functions and collection only. */
const isOwnView = <Input>(_projection: ProjectionOf<Input>, _view: object): _view is never => true

/** A document as nobody has changed it yet. */
export const emptyDocument = <Input>(projection: ProjectionOf<Input>, key: DocumentKey, id: string): CachedDocument<Input> => ({
  projection,
  key,
  id,
  position: undefined,
  view: projection.initialView(key),
  isDraft: false,
  bytes: 0,
  addedBytes: 0,
})

/** The view after one more input; undefined when that changes nothing. */
const viewAfter = <Input>(document: CachedDocument<Input>, input: Input): object | undefined => {
  const { projection, key } = document
  const { inPlace } = projection
  assert(isOwnView(projection, document.view), `${projection.name} projects its own views only`)
  if (inPlace === undefined) {
    const view = projection.project(document.view, input, key)
    return view === document.view ? undefined : view
  }
  if (!document.isDraft) {
    document.view = inPlace.copyOf(document.view)
    document.isDraft = true
  }
  assert(isOwnView(projection, document.view), `${projection.name} projects its own views only`)
  return inPlace.change(document.view, input, key)
}

const isIncluded = <Input>(document: CachedDocument<Input>, position: Position): boolean => {
  if (document.position === undefined) return false
  assert(document.position.partition === position.partition, `a document of ${document.projection.name} gets events of two partitions`)
  return position.offset <= document.position.offset
}

/** Applies an input, unless the document includes it already (law 7); says whether the document is another now. */
export const applyTo = <Input extends ProjectedInput>(document: CachedDocument<Input>, input: Input): boolean => {
  if (isIncluded(document, input.position)) return false
  const view = viewAfter(document, input)
  if (view === undefined) return false
  document.view = view
  document.position = input.position
  document.addedBytes += input.bytes
  return true
}

/** Looks at the memory that the view takes, unless too little has been added to make a difference. */
export const measure = <Input>(document: CachedDocument<Input>): void => {
  if (document.addedBytes <= Math.max(document.bytes, SMALL_DOCUMENT_BYTES)) return
  document.bytes = memoryOf(document.view)
  document.addedBytes = 0
}

/** The view for somebody who may keep it: from now on it stays as it is. */
export const shared = <Input>(document: CachedDocument<Input>): object => {
  document.isDraft = false
  return document.view
}
