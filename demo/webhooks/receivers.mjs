// Three endpoints of a merchant on this machine, and what they do to the events that they get.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The secret that the server signs with. */
export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

const FAILS_FOR_MS = 6_000
const HANGS_FOR_MS = 8_000

/** What each of them does `ms` after the start: answer a status, or nothing at all. */
const PLANS = {
  well: () => 200,
  failing: (ms) => (ms < FAILS_FOR_MS ? 503 : 200),
  hanging: (ms) => (ms < HANGS_FOR_MS ? null : 200),
}

const expectedSignature = ({ headers }, body) => {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return Buffer.from(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
}

const isSigned = (request, body) => {
  const given = Buffer.from(String(request.headers['webhook-signature']))
  const expected = expectedSignature(request, body)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const startReceiver = async (profile, planOf) => {
  const state = { profile, received: 0, taken: 0, faults: 0, doing: 'waits' }
  const receive = async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const status = planOf()
    state.received += 1
    state.doing = status === null ? 'hangs' : status === 200 ? 'takes events' : `answers ${status}`
    if (!isSigned(request, Buffer.concat(chunks).toString())) state.faults += 1
    if (status === null) return
    if (status === 200) state.taken += 1
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => void receive(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { profile, url: `http://127.0.0.1:${server.address().port}/hook`, state, stop }
}

/** The receivers; their troubles are counted from `start`. */
export const startReceivers = async () => {
  let startedMs = Number.POSITIVE_INFINITY
  const sinceStart = () => performance.now() - startedMs
  const all = await Promise.all(Object.entries(PLANS).map(([profile, plan]) => startReceiver(profile, () => plan(sinceStart()))))
  return {
    all,
    start: () => {
      startedMs = performance.now()
    },
    states: () => all.map(({ state }) => ({ ...state })),
    faultCount: () => all.reduce((sum, { state }) => sum + state.faults, 0),
    stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))),
  }
}
