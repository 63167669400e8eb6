// A merchant that gets events, through the HTTP interface.
import { SECRET } from './receivers.mjs'

const PAGE = 100
/** Quick enough to watch: the default schedule begins with a minute. */
const RETRY_DELAYS_SECONDS = [1, 2, 3, 5, 8, 13, 21]

/** A fresh merchant of the server at `url`. */
export const createWebhookMerchant = async (url, adminSecret) => {
  const merchantId = `webhooks_${Date.now().toString(36)}`
  const call = async (method, path, { body, headers } = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const created = await call('POST', '/merchant-account/create', {
    body: { merchant_id: merchantId },
    headers: { 'x-admin-secret': adminSecret },
  })
  const headers = { 'x-api-key': created.api_key }
  const list = () => call('POST', `/events/${merchantId}`, { body: { limit: PAGE }, headers })

  return {
    configure: (profile, webhookUrl) =>
      call('PUT', `/merchant-account/${merchantId}/webhook-endpoint?profile_id=${profile}`, {
        body: { webhook_url: webhookUrl, secret: SECRET, timeout_seconds: 2, retry_delays_seconds: RETRY_DELAYS_SECONDS },
        headers,
      }),
    submit: (profile, index) =>
      call('POST', `/merchant-account/${merchantId}/events`, {
        body: {
          event_type: 'payment_succeeded',
          object_id: `pay_${index}`,
          profile_id: profile,
          content: { payment_id: `pay_${index}`, amount: 1_000 + index, currency: 'EUR' },
        },
        headers,
      }),
    deliveries: async () =>
      (await list()).events.map((event) => ({ profile: event.profile_id, isDelivered: event.is_delivery_successful })),
    retryOne: async () => {
      const [event] = (await list()).events
      return await call('POST', `/events/${merchantId}/${event.event_id}/retry`, { headers })
    },
  }
}
