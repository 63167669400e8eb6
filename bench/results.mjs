import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withResult } from './baseline.mjs'

const FOLDER = fileURLToPath(new URL('./results/', import.meta.url))
const BASELINES = fileURLToPath(new URL('./baseline.json', import.meta.url))

const write = (path, content) => writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Writes a result under its time; gives the path. */
export const writeResult = (result) => {
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, `${result.at.replaceAll(':', '-').slice(0, 19)}.json`)
  write(path, result)
  return path
}

/** The newest result, or null: names sort by time. */
export const newestResult = () => {
  mkdirSync(FOLDER, { recursive: true })
  const name = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .at(-1)
  return name === undefined ? null : read(join(FOLDER, name))
}

/** The stored baselines by kind of machine. */
export const readBaselines = () => read(BASELINES)

/** Makes the benchmarks of a result those of the baseline of its kind of machine; gives the path. */
export const storeBaseline = (result) => {
  write(BASELINES, withResult(readBaselines(), result))
  return BASELINES
}
