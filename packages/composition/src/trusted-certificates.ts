import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { OperatingError } from '@switchyard/kernel'

/** Where a certificate begins: it goes on to the next one. */
const BEGINNING = /(?=-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----)/

const invalid = (setting: string, why: string, cause?: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `${setting}: ${why}`, { retryable: false, cause })

const read = (setting: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw invalid(setting, "the file can't be read", cause)
  }
}

const assertCertificate = (setting: string, text: string): void => {
  try {
    new X509Certificate(text)
  } catch (cause) {
    throw invalid(setting, "the file holds a certificate that can't be read", cause)
  }
}

/**
 * The certificates in a file, as text (PEM). Throws `SETTING_INVALID` when it can't be read, holds none, or one that is broken: whoever encrypts passes over
 * all of these without a word, trusts nobody, and can connect to nobody.
 */
export const readTrustedCertificates = (setting: string, path: string): string => {
  const text = read(setting, path)
  const certificates = text.split(BEGINNING).filter((part) => BEGINNING.test(part))
  if (certificates.length === 0) throw invalid(setting, 'the file holds no certificate (PEM)')
  for (const certificate of certificates) assertCertificate(setting, certificate)
  return text
}
