import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatingError } from '@switchyard/kernel'
import { syncFolder } from './sync-folder.ts'

/** What the secrets of a deployment are kept as. */
export type SecretName = 'session-secret' | 'data-key-secret'

/** What to do about a file that holds none. */
const ADVICE: Readonly<Record<SecretName, string>> = {
  'session-secret': 'remove it to get a new one, with which everybody has to log in again',
  'data-key-secret': "restore it: what merchants' keys encrypt can't be read with another one",
}
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

/** The file appears whole or not at all, and only once: whoever comes second keeps what the first one wrote. On disk when it resolves. */
export const writeOnce = async (path: string, content: string | Uint8Array): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  await syncFolder(dirname(path))
}

/**
 * A secret of the deployment, kept in the data folder (readable by the owner only) so that what rests on it outlives a restart;
 * generated at the first call. Throws `DATA_FOLDER_UNWRITABLE` or `SETTING_INVALID` (the file was tampered with).
 */
export const loadOrCreateSecret = async (folder: string, name: SecretName = 'session-secret'): Promise<string> => {
  const path = join(folder, name)
  try {
    await mkdir(folder, { recursive: true })
    if ((await readSecret(path)) === undefined) await writeOnce(path, randomBytes(SECRET_BYTES).toString('base64url'))
  } catch (cause) {
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', `the ${name} can't be kept in ${folder}`, { retryable: false, cause })
  }
  const secret = (await readSecret(path)) ?? ''
  if (secret.length < SECRET_LENGTH_MIN) {
    throw new OperatingError('SETTING_INVALID', `${path} holds no usable secret; ${ADVICE[name]}`, { retryable: false })
  }
  return secret
}
