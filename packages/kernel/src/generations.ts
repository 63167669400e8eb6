import type { CollectionSpec } from './read-store.ts'

const GENERATION = /@\d+$/

/**
 * Name of a generation of a collection: another set of the same documents beside it, with the same indexes. The first one has
 * the plain name; of a declared collection all generations are declared.
 */
export const generationName = (collection: string, generation: number): string =>
  generation === 1 ? collection : `${collection}@${generation}`

/** The declaration of a collection or of a generation of it; undefined when neither was declared. */
export const declaredSpec = (declared: ReadonlyMap<string, CollectionSpec>, name: string): CollectionSpec | undefined => {
  const plain = declared.get(name)
  if (plain !== undefined) return plain
  const spec = declared.get(name.replace(GENERATION, ''))
  return spec === undefined ? undefined : { ...spec, name }
}
