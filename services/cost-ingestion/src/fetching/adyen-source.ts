import type { HeaderPair } from '@switchyard/kernel'
import { fetchBytes } from './fetch-json.ts'
import type { ReportSource, SourceTools } from './report-source.ts'

/** A user and a password, or a key. */
const credentialHeader = (secret: string): HeaderPair =>
  secret.includes(':') ? ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`] : ['x-api-key', secret]

/** Reports lie at the address that the notice tells. */
export const createAdyenSource = ({ fetchStream, assertHost }: SourceTools): ReportSource => ({
  connector: 'adyen',
  listReady: undefined,
  fetch: async ({ secret, reference: url, signal }) => {
    assertHost('adyen', url)
    return await fetchBytes(fetchStream, 'the report', { method: 'GET', url, headers: [credentialHeader(secret)], signal })
  },
})
