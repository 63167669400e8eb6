import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. */
export const createTemporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'switchyard-contract-'))

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })
