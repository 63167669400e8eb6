import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OperatingError } from '@switchyard/kernel'
import type { BinTable, NetworkFeeTable } from '@switchyard/routing'
import { BIN_TABLE_BYTES_MAX } from '../limits.ts'
import { parseBinTable } from './parse-bin-table.ts'
import { parseNetworkFees } from './parse-network-fees.ts'

/** What a deployment knows of debit networks. */
export interface DebitData {
  readonly networkFees: NetworkFeeTable
  readonly binTable: BinTable
}

/** Files of the deployment; undefined for those that come with the release. */
export interface DebitDataFiles {
  readonly networkFees: string | undefined
  readonly binTable: string | undefined
}

/** What a deployment has that names no files. */
const SHIPPED_FEES = fileURLToPath(new URL('../../network-fees.json', import.meta.url))
const SHIPPED_BINS = fileURLToPath(new URL('../../bin-table.csv', import.meta.url))

const read = <Read>(setting: string, path: string, reader: (path: string) => Read): Read => {
  try {
    return reader(path)
  } catch (error) {
    throw new OperatingError('SETTING_INVALID', `${setting}: ${path} can't be read`, { retryable: false, cause: error })
  }
}

const loadBinTable = (path: string): BinTable => {
  const { size } = read('SWITCHYARD_BIN_TABLE_FILE', path, (file) => statSync(file))
  if (size > BIN_TABLE_BYTES_MAX) {
    const detail = `SWITCHYARD_BIN_TABLE_FILE: ${path} is larger than ${BIN_TABLE_BYTES_MAX} bytes`
    throw new OperatingError('SETTING_INVALID', detail, { retryable: false })
  }
  return parseBinTable(read('SWITCHYARD_BIN_TABLE_FILE', path, (file) => readFileSync(file)))
}

/**
 * Loads what the deployment knows of debit networks: the fees that come with the release unless it names others, and BINs
 * only if it names some. Throws `SETTING_INVALID` when a file can't be used.
 */
export const loadDebitData = (files: DebitDataFiles): DebitData => {
  const fees = files.networkFees ?? SHIPPED_FEES
  return {
    networkFees: parseNetworkFees(read('SWITCHYARD_NETWORK_FEES_FILE', fees, (path) => readFileSync(path, 'utf8'))),
    binTable: loadBinTable(files.binTable ?? SHIPPED_BINS),
  }
}
