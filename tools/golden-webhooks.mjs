// The webhooks of the recorded life: an endpoint that is well, fails, goes away and comes back.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const ANSWERED_MAX_MS = 20_000

/** A receiver that answers as its path says, `/200`, until it is told to answer otherwise. */
const startReceiver = async () => {
  let told
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(told ?? Number(request.url?.slice(1))).end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = (status) => {
    told = status
  }
  return {
    answer,
    url: (status) => `http://127.0.0.1:${server.address().port}/${status}`,
    stop: () => server.close().closeAllConnections(),
  }
}

/** Webhooks of `merchantId` in which every kind of event happens that HTTP can cause. */
export const liveWithWebhooks = async (call, merchantId) => {
  const receiver = await startReceiver()
  const endpoint = `/merchant-account/${merchantId}/webhook-endpoint`
  const configure = (status, more) =>
    call(`PUT ${endpoint}`, {
      webhook_url: receiver.url(status),
      custom_headers: { 'x-shop': 'golden' },
      retry_delays_seconds: [3],
      ...more,
    })
  const submit = async (objectId) => {
    const event = { event_type: 'payment_succeeded', object_id: objectId, content: { payment_id: objectId } }
    return (await call(`POST /merchant-account/${merchantId}/events`, event)).event_id
  }
  const until = async (what, ask) => {
    const deadline = Date.now() + ANSWERED_MAX_MS
    while (!(await ask())) {
      if (Date.now() > deadline) throw new Error(`${what} did not come about`)
      await delay(20)
    }
  }
  const attempted = (eventId) =>
    until('an attempt', async () => (await call(`GET /events/${merchantId}/${eventId}`)).is_delivery_successful !== null)
  const status = async () => (await call(`GET ${endpoint}`)).status

  await attempted(await submit('pay_without_endpoint'))
  await configure(200)
  await attempted(await submit('pay_taken'))
  await call(`POST ${endpoint}/rotate-secret`, {})
  await configure(500)
  await attempted(await submit('pay_left'))
  await configure(200, { enabled: false })
  await delay(4_500)
  // What came due meanwhile is given up while nothing new goes before it.
  await configure(200)
  await delay(1_500)
  await configure(410)
  const gone = await submit('pay_gone')
  await until('the end of the endpoint', async () => (await status()) === 'disabled_gone')
  const recovery = await call(`POST /events/${merchantId}/recover`, { since: new Date(Date.now() - 3_600_000).toISOString() })
  await until('the end of the recovery', async () => {
    const { status: progress } = await call(`GET /events/${merchantId}/recover/${recovery.task_id}`)
    return progress === 'completed'
  })
  await configure(410)
  await attempted(await submit('pay_gone_again'))
  await until('the end of the endpoint', async () => (await status()) === 'disabled_gone')
  receiver.answer(200)
  await call(`POST /events/${merchantId}/${gone}/retry`)
  await call(`POST /events/${merchantId}/${gone}/retry`)
  receiver.stop()
  await call(`DELETE ${endpoint}`)
}
