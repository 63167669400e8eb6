import { accessSync, constants, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { VOLUME_FOLDER } from '@switchyard/embedded'
import { OperatingError } from '@switchyard/kernel'

const META_FILE = 'switchyard.json'
const META = { product: 'switchyard', content: 'read-store', format: 2 }

/** Name of the database by format; one of an earlier format is removed, because projectors fill it again from the log. */
const DATABASES: readonly string[] = ['', 'documents', 'documents.v2']

/** The database of this format. */
export const DATABASE: string = DATABASES[META.format] ?? ''

const foreign = (folder: string, why: string): OperatingError =>
  new OperatingError('DATA_FOLDER_FOREIGN', `the folder ${folder} does not hold a read store of this version: ${why}`, { retryable: false })

/** The format that the folder holds. */
const formatOf = (folder: string): number => {
  let meta: unknown
  try {
    meta = JSON.parse(readFileSync(join(folder, META_FILE), 'utf8'))
  } catch {
    throw foreign(folder, `${META_FILE} can't be read`)
  }
  const { product, content, format } = Object(meta)
  if (product !== META.product || content !== META.content) throw foreign(folder, 'it belongs to something else')
  const isKnown = Number.isInteger(format) && format >= 1 && format <= META.format
  if (!isKnown) throw foreign(folder, `its format is ${String(format)}, known are 1 to ${META.format}`)
  return format
}

/** Written aside first: threads that do so at the same time never see half of it. */
const describeFolder = (folder: string): void => {
  const aside = join(folder, `${META_FILE}.${process.pid}-${threadId}`)
  writeFileSync(aside, `${JSON.stringify(META)}\n`, { flush: true })
  renameSync(aside, join(folder, META_FILE))
}

/** Creates the folder or checks that it holds a read store; one of an earlier format begins anew. Several threads may do so at the same time. */
export const prepareFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', `the folder ${folder} can't be written`, { retryable: false, cause })
  }
  const names = readdirSync(folder).filter((name) => name !== VOLUME_FOLDER && !name.startsWith(`${META_FILE}.`))
  if (!names.includes(META_FILE) && names.length > 0) throw foreign(folder, `it holds other files (${names[0]})`)
  const format = names.includes(META_FILE) ? formatOf(folder) : 0
  if (format === META.format) return
  describeFolder(folder)
  if (format > 0) rmSync(join(folder, DATABASES[format] ?? ''), { recursive: true, force: true })
}
