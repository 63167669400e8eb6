import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatingError } from '@switchyard/kernel'

const SECRET_FILE = 'session-secret'
const SECRET_BYTES = 48
/** Shorter than what is written: such a file was not written by this code. */
const SECRET_LENGTH_MIN = 32

const isCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code

const readSecret = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The file appears whole or not at all, and only once: whoever comes second keeps what the first one wrote. */
const writeSecretOnce = async (path: string): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(SECRET_BYTES).toString('base64url'))
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
}

/**
 * The secret that signs sessions, kept in the data folder (readable by the owner only) so that sessions outlive a restart;
 * generated at the first call. Throws `DATA_FOLDER_UNWRITABLE` or `SETTING_INVALID` (the file was tampered with).
 */
export const loadOrCreateSecret = async (folder: string): Promise<string> => {
  const path = join(folder, SECRET_FILE)
  try {
    await mkdir(folder, { recursive: true })
    if ((await readSecret(path)) === undefined) await writeSecretOnce(path)
  } catch (cause) {
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', `the session secret can't be kept in ${folder}`, { retryable: false, cause })
  }
  const secret = (await readSecret(path)) ?? ''
  if (secret.length < SECRET_LENGTH_MIN) {
    throw new OperatingError('SETTING_INVALID', `${path} holds no usable secret; remove it to get a new one`, { retryable: false })
  }
  return secret
}
