import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const createOne = (folder: string): void => {
  try {
    mkdirSync(folder)
  } catch (error) {
    // Somebody else may have created it in between.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/**
 * Creates a folder and those it lies in, one by one, and stops at the first that the system refuses: the recursive mkdir of Node
 * never returns where a folder that exists (/proc, for one) answers that it does not. `folder` is absolute.
 */
export const createFolder = (folder: string): void => {
  const missing: string[] = []
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) createOne(path)
}
