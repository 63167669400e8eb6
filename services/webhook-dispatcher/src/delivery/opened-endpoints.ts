import { type Endpoint, type EndpointSecret, validSecrets } from '@switchyard/webhooks'
import type { SealedJson } from '../sealed-json.ts'

/** What an endpoint's requests are made with, readable. */
interface OpenedEndpoint {
  readonly customHeaders: Readonly<Record<string, string>>
  /** Those that sign now, newest first. */
  readonly secrets: readonly string[]
}

/** Reads the encrypted parts of an endpoint as they count at `at`; undefined when the merchant's key was destroyed. */
export type OpenEndpoint = (merchantId: string, endpoint: Endpoint, at: number) => Promise<OpenedEndpoint | undefined>

interface Opened {
  readonly customHeaders: Readonly<Record<string, string>> | undefined
  readonly secrets: ReadonlyMap<EndpointSecret, string | undefined>
}

/** {@link OpenEndpoint}, which reads each configuration once: it is remembered for as long as that stands. */
export const createOpenEndpoint = ({ open }: Pick<SealedJson, 'open'>): OpenEndpoint => {
  const known = new WeakMap<Endpoint, Promise<Opened>>()

  const read = async (merchantId: string, { customHeaders, secrets }: Endpoint): Promise<Opened> => {
    const openText = <Value>(text: string): Promise<Value | undefined> => open<Value>(merchantId, Buffer.from(text, 'base64'))
    const texts = await Promise.all(secrets.map(async (one) => [one, await openText<string>(one.secret)] as const))
    return { customHeaders: await openText(customHeaders), secrets: new Map(texts) }
  }

  return async (merchantId, endpoint, at) => {
    const opening = known.get(endpoint) ?? read(merchantId, endpoint)
    known.set(endpoint, opening)
    opening.catch(() => known.delete(endpoint))
    const { customHeaders, secrets } = await opening
    if (customHeaders === undefined) return undefined
    const valid = validSecrets(endpoint, at).map((one) => secrets.get(one))
    return { customHeaders, secrets: valid.filter((secret) => secret !== undefined) }
  }
}
