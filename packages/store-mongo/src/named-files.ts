import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { OperatingError } from '@switchyard/kernel'
import type { MongoOptions } from 'mongodb'

/** Options that name a file, and whether a certificate has to be in it. */
const FILES = [
  { option: 'tlsCAFile', holdsCertificate: true },
  { option: 'tlsCertificateKeyFile', holdsCertificate: true },
  { option: 'tlsCRLFile', holdsCertificate: false },
] as const

const invalid = (option: string, why: string, cause: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `SWITCHYARD_MONGODB_URI: the file of ${option} ${why}`, { retryable: false, cause })

const read = (option: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw invalid(option, "can't be read", cause)
  }
}

const assertCertificate = (option: string, text: string): void => {
  try {
    new X509Certificate(text)
  } catch (cause) {
    throw invalid(option, 'holds no certificate (PEM) that can be read', cause)
  }
}

/**
 * Throws `SETTING_INVALID` when a file that an address names is missing, or holds no certificate where there should be one. The driver reads them when it
 * connects, and tells of a server that can't be reached.
 */
export const assertNamedFiles = (options: Pick<MongoOptions, 'tlsCAFile' | 'tlsCertificateKeyFile' | 'tlsCRLFile'>): void => {
  for (const { option, holdsCertificate } of FILES) {
    const path = options[option]
    if (path === undefined) continue
    const text = read(option, path)
    if (holdsCertificate) assertCertificate(option, text)
  }
}
