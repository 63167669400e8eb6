// Receivers of webhooks in a process of their own: `healthy` ones answer at once, `slow` ones late, `dead` ones never. They note how
// long each event took from its acceptance, which the sender tells in a header, to here.
import { once } from 'node:events'
import { createServer } from 'node:http'

const { healthyCount, slowCount, deadCount, slowMs } = JSON.parse(process.argv[2] ?? '{}')
const epochMs = () => performance.timeOrigin + performance.now()

/** Milliseconds from acceptance to arrival at healthy receivers. */
const latencies = { new: [], retry: [] }
const ids = new Set()
let duplicateCount = 0

const note = ({ headers }) => {
  latencies[headers['x-lane']].push(epochMs() - Number(headers['x-accepted-at']))
  const id = headers['webhook-id']
  if (ids.has(id)) duplicateCount += 1
  ids.add(id)
}

const BEHAVIOURS = {
  healthy: (request, response) => {
    note(request)
    response.writeHead(200).end('ok')
  },
  slow: (_request, response) => {
    const timer = setTimeout(() => response.writeHead(200).end('ok'), slowMs)
    response.once('close', () => clearTimeout(timer))
  },
  dead: () => {},
}

const start = async (kind) => {
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => BEHAVIOURS[kind](request, response))
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
process.on('message', () => process.send({ latencies, duplicateCount }))
process.on('disconnect', () => process.exit(0))
