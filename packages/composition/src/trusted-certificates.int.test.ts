import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readTrustedCertificates } from './trusted-certificates.ts'

const [first = '', second = ''] = rootCertificates

describe('a file of trusted certificates', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-certificates-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const reading = (text: string) => () => {
    const path = join(folder, 'ca.pem')
    writeFileSync(path, text)
    return readTrustedCertificates('SWITCHYARD_KAFKA_TLS_CA_FILE', path)
  }
  const refusal = expect.objectContaining({
    code: 'SETTING_INVALID',
    message: expect.stringMatching(/^SWITCHYARD_KAFKA_TLS_CA_FILE: /),
    retryable: false,
  })

  test('is given as it is, with whatever stands between the certificates', () => {
    const text = `# of the company\n${first}\n# and of its partner\n${second}\n`
    expect(reading(text)()).toBe(text)
  })

  test.each([
    ['nothing', ''],
    ['a text', 'the certificate of the company'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n'],
    ['a request for one', first.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST')],
    ['one that was cut off', first.slice(0, 500)],
    ['one that was cut off behind a whole one', `${first}\n${second.slice(0, 500)}`],
  ])('that holds %s passed the start, and every connection failed', (_, text) => {
    expect(reading(text)).toThrow(refusal)
  })

  test('that is not there is named', () => {
    expect(() => readTrustedCertificates('SWITCHYARD_KAFKA_TLS_CA_FILE', join(folder, 'missing.pem'))).toThrow(refusal)
  })
})
