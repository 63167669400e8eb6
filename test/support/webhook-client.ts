import { type Answer, call, createMerchant, eventually, type TestMerchant } from './client.ts'

/** The signing secret of these tests. */
export const WEBHOOK_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

/** A merchant with webhooks, as a test talks to it. */
export interface WebhookMerchant extends TestMerchant {
  readonly ask: (request: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly configure: (url: string, change?: object) => Promise<Answer>
  readonly submit: (change?: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly retry: (eventId: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  readonly attempts: (eventId: string) => Promise<Answer>
  /** Waits until a number of attempts has come to an end. */
  readonly finished: (eventId: string, count: number) => Promise<Answer>
}

let objects = 0

const isFinished = ({ response }: { readonly response: Readonly<Record<string, unknown>> }): boolean =>
  response['status_code'] !== null || response['error_message'] !== null

/** A merchant of its own for a test. */
export const createWebhookMerchant = async (url: string): Promise<WebhookMerchant> => webhookMerchant(url, await createMerchant(url))

/** A merchant that is there already. */
export const webhookMerchant = (url: string, merchant: TestMerchant): WebhookMerchant => {
  const { id, key } = merchant
  const ask: WebhookMerchant['ask'] = (request, body, headers = {}) =>
    call(url, request, { headers: { ...key, ...headers }, ...(body !== undefined && { body }) })
  const attempts = (eventId: string): Promise<Answer> => ask(`GET /events/${id}/${eventId}/attempts`)
  return {
    ...merchant,
    ask,
    attempts,
    configure: (receiverUrl, change = {}) =>
      ask(`PUT /merchant-account/${id}/webhook-endpoint`, { webhook_url: receiverUrl, secret: WEBHOOK_SECRET, ...change }),
    submit: (change = {}, headers = {}) => {
      const objectId = `pay_${++objects}`
      const event = { event_type: 'payment_succeeded', object_id: objectId, content: { payment_id: objectId, amount: 1250 }, ...change }
      return ask(`POST /merchant-account/${id}/events`, event, headers)
    },
    retry: (eventId, headers = {}) => ask(`POST /events/${id}/${eventId}/retry`, undefined, headers),
    finished: (eventId, count) =>
      eventually(
        `${count} finished attempts`,
        () => attempts(eventId),
        ({ json }) => Array.isArray(json) && json.filter(isFinished).length >= count,
      ),
  }
}
