import { readFileSync } from 'node:fs'

/** Marks a data folder as ours, in its root; the log and the store in it have marks of the same name. */
export const DATA_MARKER_FILE = 'switchyard.json'

/** The layout of data folders that this release knows; the number rises with an incompatible one. */
export const DATA_LAYOUT_VERSION = 1

/** The layout that a mark tells; undefined when it tells none. Throws when it can't be read. */
export const dataLayoutIn = (marker: string): unknown => {
  const mark: unknown = JSON.parse(readFileSync(marker, 'utf8'))
  return typeof mark === 'object' && mark !== null && 'layout' in mark ? mark.layout : undefined
}
