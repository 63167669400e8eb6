import { randomUUID } from 'node:crypto'
import { ADMIN_SECRET } from './server.ts'

/** An answer as a test looks at it; `json` is undefined when the body is empty or not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  readonly json: any
}

export interface Call {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What this test wrote last, by server. As a client of several services does, it asks for no state that is older. */
const lastPositions = new Map<string, string>()

const noteWritten = (url: string, headers: Headers): void => {
  const position = headers.get('x-log-position')
  if (position !== null) lastPositions.set(url, position)
}

const seen = (url: string): Readonly<Record<string, string>> => {
  const position = lastPositions.get(url)
  return position === undefined ? {} : { 'x-min-log-position': position }
}

/** One HTTP call; an object body is sent as JSON, a string as it is. */
export const call = async (url: string, request: string, { body, headers = {}, signal }: Call = {}): Promise<Answer> => {
  const [method = 'GET', path = '/'] = request.split(' ')
  const sent = {
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
  const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...seen(url), ...headers }, ...sent })
  noteWritten(url, response.headers)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

export const admin: Readonly<Record<string, string>> = { 'x-admin-secret': ADMIN_SECRET }

/** A merchant of its own for a test, with the key that its creation returned. */
export interface TestMerchant {
  readonly id: string
  readonly key: Readonly<Record<string, string>>
}

/** No other test file has it: some share a server. */
const runOfFile = randomUUID().slice(0, 8)
let merchants = 0

export const createMerchant = async (url: string, id = `m_test_${runOfFile}_${++merchants}`): Promise<TestMerchant> => {
  const answer = await call(url, 'POST /merchant-account/create', { body: { merchant_id: id }, headers: admin })
  if (answer.status !== 200) throw new Error(`merchant ${id} was not created: ${answer.status} ${answer.text}`)
  return { id, key: { 'x-api-key': answer.json.api_key } }
}

/** A valid decision request; `change` replaces top-level members, `payment` members of `paymentInfo`. */
export const decisionRequest = (merchantId: string, paymentId: string, change: object = {}, payment: object = {}): object => ({
  merchantId,
  eligibleGatewayList: ['stripe', 'adyen', 'checkout'],
  rankingAlgorithm: 'SR_BASED_ROUTING',
  eliminationEnabled: false,
  ...change,
  paymentInfo: {
    paymentId,
    amount: 120.5,
    currency: 'EUR',
    country: 'DE',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    authType: 'THREE_DS',
    cardIsin: '424242',
    cardType: 'CREDIT',
    cardSwitchProvider: 'VISA',
    ...payment,
  },
})

const SHOWN_LENGTH_MAX = 2_000

/** Asks again until `accepts` holds; for reads that are projected. Says what it was waiting for when the bound is passed. */
export const eventually = async <Found>(
  what: string,
  ask: () => Promise<Found>,
  accepts: (found: Found) => boolean,
  withinMs = 15_000,
): Promise<Found> => {
  const deadline = Date.now() + withinMs
  let last = await ask()
  while (!accepts(last)) {
    if (Date.now() > deadline) throw new Error(`${what} did not come about; last: ${JSON.stringify(last)?.slice(0, SHOWN_LENGTH_MAX)}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
    last = await ask()
  }
  return last
}
