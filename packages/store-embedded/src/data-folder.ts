import { accessSync, constants, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { OperatingError } from '@switchyard/kernel'

const META_FILE = 'switchyard.json'
const META = { product: 'switchyard', content: 'read-store', format: 1 }

const foreign = (folder: string, why: string): OperatingError =>
  new OperatingError('DATA_FOLDER_FOREIGN', `the folder ${folder} does not hold a read store of this version: ${why}`, { retryable: false })

const assertOurs = (folder: string): void => {
  let meta: unknown
  try {
    meta = JSON.parse(readFileSync(join(folder, META_FILE), 'utf8'))
  } catch {
    throw foreign(folder, `${META_FILE} can't be read`)
  }
  const { product, content, format } = Object(meta)
  if (product !== META.product || content !== META.content) throw foreign(folder, 'it belongs to something else')
  if (format !== META.format) throw foreign(folder, `its format is ${String(format)}, known is ${META.format}`)
}

/** Creates the folder or checks that it holds a read store of this format. Several threads may do so at the same time. */
export const prepareFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', `the folder ${folder} can't be written`, { retryable: false, cause })
  }
  const names = readdirSync(folder).filter((name) => !name.startsWith(`${META_FILE}.`))
  if (names.includes(META_FILE)) return assertOurs(folder)
  if (names.length > 0) throw foreign(folder, `it holds other files (${names[0]})`)
  const aside = join(folder, `${META_FILE}.${process.pid}-${threadId}`)
  writeFileSync(aside, `${JSON.stringify(META)}\n`, { flush: true })
  renameSync(aside, join(folder, META_FILE))
}
