import { SAMPLE_ADMIN_SECRET } from './sample-command-api.fixture.ts'

/** For tests: what a request came to. */
interface SampleAnswer {
  readonly status: number
  readonly headers: Headers
  /** Members of a JSON object; empty without a body. */
  readonly body: Readonly<Record<string, unknown>>
}

type SentHeaders = Readonly<Record<string, string>>

/** For tests: a client of the command API. */
export interface SampleClient {
  /** Sends a JSON content type always, as clients do even without a body. Text is sent as it is. */
  readonly call: (method: string, path: string, headers?: SentHeaders, body?: unknown) => Promise<SampleAnswer>
  /** Creates a merchant and returns its default key. */
  readonly createMerchant: (merchantId: string) => Promise<string>
  /** Signs up with {@link SAMPLE_PASSWORD} and returns the token. */
  readonly signUp: (email: string, merchantId?: string) => Promise<string>
  /** Items of a JSON array; none when the answer is none. */
  readonly list: (path: string, headers: SentHeaders) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The same of a request with a body. */
  readonly postList: (path: string, headers: SentHeaders, body: object) => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly keysOf: (merchantId: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** A password that is strong enough. */
export const SAMPLE_PASSWORD = 'Blue#Sky2024'

/** Headers of the deployment's admin. */
export const sampleAdmin: SentHeaders = { 'x-admin-secret': SAMPLE_ADMIN_SECRET }

/** Headers of a session. */
export const bearer = (token: string): SentHeaders => ({ authorization: `Bearer ${token}` })

/** For tests: what a refusal comes to. */
export const failure = (status: number, message: string): Pick<SampleAnswer, 'status' | 'body'> => ({
  status,
  body: { code: 'TE_04', message, data: null },
})

const send = async (
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly headers: Headers; readonly json: unknown }> => {
  const response = await fetch(url, init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? {} : JSON.parse(text) }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const recordsOf = (json: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(json) ? json.filter(isRecord) : [])

/** A client of the API at this address. */
export const createSampleClient = (url: string): SampleClient => {
  const call: SampleClient['call'] = async (method, path, headers = {}, body) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const { json, ...answer } = await send(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
    return { ...answer, body: isRecord(json) ? json : {} }
  }
  return {
    call,
    createMerchant: async (merchantId) => {
      const { body } = await call('POST', '/merchant-account/create', sampleAdmin, { merchant_id: merchantId })
      return String(body['api_key'])
    },
    signUp: async (email, merchantId) => {
      const { body } = await call('POST', '/auth/signup', sampleAdmin, { email, password: SAMPLE_PASSWORD, merchant_id: merchantId })
      return String(body['token'])
    },
    list: async (path, headers) => recordsOf((await send(url + path, { headers })).json),
    postList: async (path, headers, body) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
      return recordsOf((await send(url + path, init)).json)
    },
    keysOf: async (merchantId) => recordsOf((await send(`${url}/api-key/list/${merchantId}`, { headers: sampleAdmin })).json),
  }
}
