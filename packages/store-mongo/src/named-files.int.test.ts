import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createClient } from './client.ts'

const [CERTIFICATE = ''] = rootCertificates
const KEY = '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n'

describe('files that an address of MongoDB names', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-files-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const naming = (option: string, text?: string) => () => {
    const path = join(folder, `${option}.pem`)
    rmSync(path, { force: true })
    if (text !== undefined) writeFileSync(path, text)
    return createClient(`mongodb://ann:hidden@127.0.0.1:1/?tls=true&${option}=${encodeURIComponent(path)}`)
  }

  test.each([
    ['tlsCAFile', undefined],
    ['tlsCAFile', 'the certificate of the company'],
    ['tlsCAFile', KEY],
    ['tlsCertificateKeyFile', undefined],
    ['tlsCertificateKeyFile', KEY],
    ['tlsCRLFile', undefined],
  ])('that are missing or hold no certificate were told as a server that is away: %s with %p', (option, text) => {
    const message = expect.stringMatching(new RegExp(`^SWITCHYARD_MONGODB_URI: (?!.*hidden).*${option}`))
    expect(naming(option, text)).toThrow(expect.objectContaining({ code: 'SETTING_INVALID', retryable: false, message }))
  })

  test('that hold certificates are left to the driver', async () => {
    for (const [option, text] of [
      ['tlsCAFile', `# of the company\n${CERTIFICATE}`],
      ['tlsCertificateKeyFile', `${KEY}${CERTIFICATE}`],
    ] as const) {
      const client = naming(option, text)()
      expect(client.options[option]).toBe(join(folder, `${option}.pem`))
      await client.close()
    }
  })
})
