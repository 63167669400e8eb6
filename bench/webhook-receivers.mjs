// Receivers of webhooks in a process of their own: `healthy` ones answer at once, `slow` ones late, `dead` ones never. They note how
// long each event took from its acceptance, which its body tells, to here, and whether it was signed.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

const { healthyCount, slowCount, deadCount, slowMs, secret } = JSON.parse(process.argv[2] ?? '{}')
const ACCEPTED_AT = '"timestamp":"'
const TIME_CHARACTERS = 24
/** What the bodies of overdue retries say instead of a payment's name. */
const OVERDUE = '"payment_id":"overdue'

const signingKey = Buffer.from(secret.slice('whsec_'.length), 'base64')

/** Milliseconds from acceptance to arrival at healthy receivers, of new events. */
const latencies = []
const ids = new Set()
const counts = { retries: 0, duplicates: 0, unsigned: 0 }

/** Standard Webhooks: of id, time and body. */
const isSigned = (headers, bytes) => {
  const hmac = createHmac('sha256', signingKey).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(bytes)
  return headers['webhook-signature'] === `v1,${hmac.digest('base64')}`
}

const note = (headers, bytes) => {
  const id = headers['webhook-id']
  const isFirst = !ids.has(id)
  ids.add(id)
  if (!isSigned(headers, bytes)) counts.unsigned += 1
  const body = bytes.toString('latin1')
  if (!isFirst) counts.duplicates += 1
  else if (body.includes(OVERDUE)) counts.retries += 1
  else {
    const at = body.lastIndexOf(ACCEPTED_AT) + ACCEPTED_AT.length
    latencies.push(Date.now() - Date.parse(body.slice(at, at + TIME_CHARACTERS)))
  }
}

const BEHAVIOURS = {
  healthy: (response) => response.writeHead(200, { 'content-length': 2 }).end('ok'),
  slow: (response) => {
    const timer = setTimeout(() => response.writeHead(200).end('ok'), slowMs)
    response.once('close', () => clearTimeout(timer))
  },
  dead: () => {},
}

const start = async (kind) => {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', () => {
      if (kind === 'healthy') note(request.headers, Buffer.concat(chunks))
      BEHAVIOURS[kind](response)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { kind, url: `http://127.0.0.1:${server.address().port}/hook` }
}

const kinds = [...new Array(healthyCount).fill('healthy'), ...new Array(slowCount).fill('slow'), ...new Array(deadCount).fill('dead')]
const receivers = []
for (const kind of kinds) receivers.push(await start(kind))
process.send({ receivers })
process.on('message', () => process.send({ latencies, counts }))
process.on('disconnect', () => process.exit(0))
