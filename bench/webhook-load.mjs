// Producers of events in a process of their own: so many a second for so long, whatever the server does with them, over kept
// connections. Written on plain sockets because the load must cost less than what it measures.
import { once } from 'node:events'
import { connect } from 'node:net'
import { createAnswerReader } from './answers.mjs'
import { requestTemplate, writeDigits } from './template.mjs'

const { port, endpoints, perSecond, durationMs } = JSON.parse(process.argv[2] ?? '{}')
const CONNECTION_COUNT = 64
const TICK_MS = 2
const BODY = JSON.stringify({
  event_type: 'payment_succeeded',
  object_id: 'pay_{{id}}',
  content: { payment_id: 'pay_{{again}}', status: 'succeeded', amount: 1250, currency: 'EUR' },
})

const templates = endpoints.map(({ merchantId, headers }) =>
  requestTemplate({
    host: `127.0.0.1:${port}`,
    path: `/merchant-account/${merchantId}/events`,
    headers,
    body: BODY,
    slots: { id: 10, again: 10 },
  }),
)
const counts = { offered: 0, accepted: 0, healthy: 0, refused: 0 }
let firstRefusal = null
/** All events were answered: a server that stops now closes connections that nobody needs any more. */
let isOver = false
const waiting = []
const free = []

const send = (socket, number) => {
  const index = number % endpoints.length
  const { bytes, offsets } = templates[index]
  const request = Buffer.from(bytes)
  writeDigits(request, offsets.id, number)
  writeDigits(request, offsets.again, number)
  socket.isHealthy = endpoints[index].kind === 'healthy'
  socket.write(request)
}
const settle = (socket, status, body) => {
  if (status === 202) {
    counts.accepted += 1
    if (socket.isHealthy) counts.healthy += 1
  } else {
    counts.refused += 1
    firstRefusal ??= `status ${status}: ${body.toString().slice(0, 300)}`
  }
  const next = waiting.shift()
  if (next === undefined) free.push(socket)
  else send(socket, next)
}
const offer = (number) => {
  counts.offered += 1
  const socket = free.pop()
  if (socket === undefined) waiting.push(number)
  else send(socket, number)
}

const open = async () => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  socket.on(
    'data',
    createAnswerReader((status, body) => settle(socket, status, body)),
  )
  // The server closes connections on which no request comes; of those that are free only the last ones are mostly used.
  socket.once('close', () => {
    if (isOver) return
    const place = free.indexOf(socket)
    if (place < 0) throw new Error('a connection was closed before its answer had come')
    free.splice(place, 1)
    void open()
  })
  await once(socket, 'connect')
  const next = waiting.shift()
  if (next === undefined) free.push(socket)
  else send(socket, next)
}
await Promise.all(Array.from({ length: CONNECTION_COUNT }, open))

const startedAt = performance.now()
let number = 0
const timer = setInterval(() => {
  const passedMs = Math.min(performance.now() - startedAt, durationMs)
  for (; number < (passedMs / 1000) * perSecond; number += 1) offer(number)
  isOver = passedMs >= durationMs && counts.accepted + counts.refused === counts.offered
  if (!isOver) return
  clearInterval(timer)
  process.send({ counts, firstRefusal, seconds: (performance.now() - startedAt) / 1_000 })
}, TICK_MS)
process.on('disconnect', () => process.exit(0))
