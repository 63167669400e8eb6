import { beforeEach, describe, expect, test } from '@jest/globals'
import { nodeHmac } from '@switchyard/outbound'
import { bodySignatureFault, standardSignatureFault } from '@switchyard/webhooks'
import { call, eventually } from '../support/client.ts'
import { answering, failingFirst, silent, sleeping } from '../support/receivers/behaviours.ts'
import { type Behaviour, type Receiver, startReceiver } from '../support/receivers/receiver.ts'
import { WEBHOOK_SECRET, type WebhookMerchant } from '../support/webhook-client.ts'
import { useWebhookServer } from '../support/webhook-server.ts'

const server = useWebhookServer()
const { configured, submitted } = server
let merchant: WebhookMerchant
beforeEach(() => {
  merchant = server.merchant()
})
const endpointPath = (profileId = 'default'): string => `/merchant-account/${merchant.id}/webhook-endpoint?profile_id=${profileId}`
const statusOfEndpoint = async (): Promise<string> => (await merchant.ask(`GET ${endpointPath()}`)).json.status
const idsReceived = ({ requests }: Receiver): readonly (string | undefined)[] => requests.map(({ headers }) => headers['webhook-id'])

/** These statuses one after the other, the last one for ever. */
const inTurn =
  (...statuses: readonly number[]): Behaviour =>
  (_request, response, index) => {
    response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 200).end()
  }

describe('signing', () => {
  test('the initial attempt, the automatic and the manual one carry the same bytes, signed in both schemes', async () => {
    const receiver = await configured(failingFirst(2), { retry_delays_seconds: [1, 600] })
    const id = await submitted({ content: { zeta: 1, alpha: { b: 2, a: 'é' } } })
    await merchant.finished(id, 2)
    expect((await merchant.retry(id)).json).toMatchObject({ is_delivery_successful: true })
    const { json } = await merchant.attempts(id)
    const kinds = json.map(({ delivery_attempt: kind }: { delivery_attempt: string }) => kind)
    expect(kinds).toEqual(['manual_retry', 'automatic_retry', 'initial_attempt'])
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1)
    expect(receiver.requests[0]?.body).toContain('"object":{"zeta":1,"alpha":{"b":2,"a":"é"}}')
    for (const { headers, body } of receiver.requests) {
      const message = { headers, body: Buffer.from(body) }
      expect(headers['webhook-id']).toBe(id)
      expect(standardSignatureFault(nodeHmac, WEBHOOK_SECRET, message, Date.now())).toBeUndefined()
      expect(bodySignatureFault(nodeHmac, WEBHOOK_SECRET, message)).toBeUndefined()
    }
  })

  test('a key that is rotated between two attempts signs the next one, beside the one before; a replaced one signs no more', async () => {
    const receiver = await configured(failingFirst(1))
    const id = await submitted()
    await merchant.finished(id, 1)
    const { json: rotated } = await merchant.ask(`POST /merchant-account/${merchant.id}/webhook-endpoint/rotate-secret`)
    await merchant.retry(id)
    await merchant.configure(receiver.url)
    await merchant.retry(id)
    const [first, second, third] = receiver.requests.map(({ headers, body }) => ({ headers, body: Buffer.from(body) }))
    if (first === undefined || second === undefined || third === undefined) throw new Error('three attempts')
    expect(bodySignatureFault(nodeHmac, rotated.secret, second)).toBeUndefined()
    for (const secret of [rotated.secret, WEBHOOK_SECRET])
      expect(standardSignatureFault(nodeHmac, secret, second, Date.now())).toBeUndefined()
    expect(second.headers['x-webhook-signature-512-previous']).toBe(first.headers['x-webhook-signature-512'])
    expect(third.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(standardSignatureFault(nodeHmac, WEBHOOK_SECRET, third, Date.now())).toBeUndefined()
    expect(standardSignatureFault(nodeHmac, rotated.secret, third, Date.now())).toBeDefined()
  })
})

describe('an id that is longer than ids are', () => {
  test("is nobody's, and the server goes on", async () => {
    const id = 'e'.repeat(5_000)
    const paths = [`GET /events/ID/${id}`, `GET /events/ID/${id}/attempts`, `POST /events/ID/${id}/retry`, `GET /events/ID/recover/${id}`]
    for (const path of paths) {
      const { status, json } = await merchant.ask(path.replace('ID', merchant.id))
      expect([status, json.error.code]).toEqual([404, 'HE_02'])
    }
    expect((await merchant.submit()).status).toBe(202)
  })
})

describe('a manual retry', () => {
  test('two at once both execute, also behind a success, and each has an id of its own', async () => {
    const receiver = await configured(answering(200))
    const id = await submitted()
    await merchant.finished(id, 1)
    const answers = await Promise.all([merchant.retry(id), merchant.retry(id)])
    expect(new Set([id, ...answers.map(({ json }) => json.event_id)]).size).toBe(3)
    expect(idsReceived(receiver)).toEqual([id, id, id])
  })

  test('more than ten in a second are told when to come again', async () => {
    await configured(answering(200))
    const id = await submitted()
    const answers = await Promise.all(Array.from({ length: 100 }, () => merchant.retry(id)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']))
  })

  test('that is taken cancels the retry that was to come', async () => {
    const receiver = await configured(inTurn(500, 200, 500, 200), { retry_delays_seconds: [3, 600] })
    const id = await submitted()
    await merchant.finished(id, 1)
    await merchant.retry(id)
    // The retry of a later event is due later: when it has come, that of the first one would have.
    const later = await submitted()
    await merchant.finished(later, 2)
    expect(idsReceived(receiver)).toEqual([id, id, later, later])
  })

  test('that fails leaves the retry that is due; of an exhausted event it may still succeed', async () => {
    const receiver = await configured(inTurn(500, 503, 500, 200), { retry_delays_seconds: [3] })
    const id = await submitted()
    await merchant.finished(id, 1)
    expect((await merchant.retry(id)).json).toMatchObject({ is_delivery_successful: false, response: { status_code: 503 } })
    await merchant.finished(id, 3)
    const list = () => merchant.ask(`POST /events/${merchant.id}`, { is_delivered: false })
    expect((await list()).json.total_count).toBe(1)
    expect((await merchant.retry(id)).json).toMatchObject({ is_delivery_successful: true })
    expect((await list()).json.total_count).toBe(0)
    expect(receiver.requests).toHaveLength(4)
  })

  test('goes on when its caller has gone', async () => {
    const id = await submitted()
    const receiver = await configured(sleeping(300))
    const leaving = new AbortController()
    const path = `POST /events/${merchant.id}/${id}/retry`
    const answer = call(server.url(), path, { headers: merchant.key, signal: leaving.signal }).catch(() => 'gone')
    await receiver.received(1)
    leaving.abort()
    expect(await answer).toBe('gone')
    const { json } = await merchant.finished(id, 2)
    expect(json[0]).toMatchObject({ delivery_attempt: 'manual_retry', is_delivery_successful: true, response: { body: 'late' } })
  })

  test('waits for an endpoint that takes almost 30 seconds', async () => {
    const id = await submitted()
    await configured(sleeping(28_000), { timeout_seconds: 30 })
    expect((await merchant.retry(id)).json.response).toMatchObject({ status_code: 200, body: 'late', error_message: null })
  }, 60_000)

  test('of an endpoint that its merchant disabled is refused; one that was gone comes back with a success', async () => {
    const receiver = await configured(inTurn(410, 200))
    const id = await submitted()
    await eventually('the end of the endpoint', statusOfEndpoint, (status) => status === 'disabled_gone')
    expect((await merchant.retry(id)).json.is_delivery_successful).toBe(true)
    expect(await statusOfEndpoint()).toBe('active')
    await merchant.configure(receiver.url, { enabled: false })
    const refused = await merchant.retry(id)
    expect([refused.status, refused.json.error.code]).toEqual([400, 'IR_16'])
    expect(receiver.requests).toHaveLength(2)
  })
})

describe('disabling', () => {
  test('attempts that hear 410 at the same time disable the endpoint, and each is recorded; enabling it resumes all schedules', async () => {
    const count = 4
    const held: (() => void)[] = []
    const receiver = await configured(
      (_request, response, index) => {
        if (index < count) held.push(() => response.writeHead(410).end())
        else response.writeHead(200).end()
        if (index === count - 1) for (const answer of held) answer()
      },
      { retry_delays_seconds: [1, 600] },
    )
    const ids = await Promise.all(Array.from({ length: count }, () => submitted()))
    for (const id of ids) await merchant.finished(id, 1)
    await eventually('the end of the endpoint', statusOfEndpoint, (status) => status === 'disabled_gone')
    const { json: before } = await merchant.ask(`GET ${endpointPath()}`)
    await merchant.configure(receiver.url, { retry_delays_seconds: [1, 600] })
    for (const id of ids) await merchant.finished(id, 2)
    expect(before).toMatchObject({ enabled: false, disabled_at: expect.any(String), first_failure_at: expect.any(String) })
    expect(idsReceived(receiver).toSorted()).toEqual([...ids, ...ids].toSorted())
    expect(await statusOfEndpoint()).toBe('active')
  })
})

describe('isolation', () => {
  test('an endpoint that hangs blocks no acceptance and no reading; what is under way is shown with four nulls', async () => {
    const receiver = await configured(silent, { max_concurrency: 2, timeout_seconds: 30 })
    const ids = await Promise.all(Array.from({ length: 20 }, () => submitted()))
    await receiver.received(2)
    expect((await merchant.ask(`POST /events/${merchant.id}`, {})).json.total_count).toBe(ids.length)
    const under = receiver.requests[0]?.headers['webhook-id'] ?? ''
    expect((await merchant.attempts(under)).json).toMatchObject([
      { is_delivery_successful: null, response: { status_code: null, body: null, headers: null, error_message: null } },
    ])
  })

  test('a busy endpoint keeps nothing from another one', async () => {
    const busy = await configured(sleeping(100), { max_concurrency: 1 })
    for (let index = 0; index < 50; index++) await submitted()
    const other = await startReceiver(answering(200))
    await merchant.ask(`PUT ${endpointPath('other')}`, { webhook_url: other.url })
    const id = await submitted({ profile_id: 'other' })
    await other.received(1)
    expect(idsReceived(other)).toContain(id)
    expect(busy.requests.length).toBeLessThan(50)
    await other.stop()
  })
})
