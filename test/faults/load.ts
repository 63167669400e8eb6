import { setTimeout as delay } from 'node:timers/promises'
import { adyenReport } from '../support/adyen-report.ts'
import { type Answer, call, decisionRequest, type TestMerchant } from '../support/client.ts'
import { openConnection } from '../support/kept-connection.ts'

/** What the server has answered 200 to, over all rounds. */
export interface Acknowledged {
  readonly outcomes: string[]
  readonly keyIds: string[]
  readonly algorithmIds: string[]
  /** Objects of submitted webhook events. */
  readonly webhookObjectIds: string[]
  /** Ingestions of uploaded settlement reports, each of {@link REPORT_PAYMENT_COUNT} payments and of an account of its own. */
  readonly ingestionIds: string[]
}

/** Nothing yet. */
export const nothingAcknowledged = (): Acknowledged => ({
  outcomes: [],
  keyIds: [],
  algorithmIds: [],
  webhookObjectIds: [],
  ingestionIds: [],
})

export interface LoadOptions {
  readonly url: string
  readonly merchant: TestMerchant
  readonly round: number
  readonly acknowledged: Acknowledged
  /**
   * What a missing or refused (503) answer means: the end of a client, when the server is to be killed for good; or that it goes on
   * until the load is stopped, with this pause behind each payment and command, milliseconds.
   */
  readonly untilStopped?: { readonly pauseMs: number }
  /** How often a settlement report is uploaded, milliseconds; absent: never. */
  readonly reportPauseMs?: number
  /** Clients that decide and report; default 12. */
  readonly paymentClientCount?: number
}

/** A running load. */
export interface Load {
  /** Resolves when this many answers were 200, counted from the start. */
  readonly reached: (count: number) => Promise<void>
  readonly count: () => number
  /** What was refused: the request with the text of its 503, and how often each was seen; `gone` counts lost answers. */
  readonly refusals: () => ReadonlyMap<string, number>
  /** Resolves when every client has ended. */
  readonly stopped: Promise<void>
  readonly stop: () => Promise<void>
}

/** Clients that work at the same time: most decide and report, two change configuration, one submits webhook events, one reports. */
const PAYMENT_CLIENTS = 12
/** Payments of an uploaded report. */
export const REPORT_PAYMENT_COUNT = 40
/** Between two looks whether the load is over, milliseconds. */
const LOOK_PAUSE_MS = 100
const STATUSES = ['CHARGED', 'CHARGED', 'FAILURE', 'AUTHORIZATION_FAILED']
/** Longest time that an answer may take before it counts as lost, milliseconds: longer than any bound of a service. */
const ANSWER_MAX_MS = 60_000

/** How the clients of a load ask. */
interface Asking {
  /** The answer of 200 or 202; undefined when there was none. Any other answer is a fault of the server, and throws. */
  readonly ask: (request: string, body: object | string) => Promise<Given | undefined>
  readonly isOver: () => boolean
}

/** An answer, whichever way it came. */
type Given = Pick<Answer, 'status' | 'text' | 'json'>

/** Decisions and their outcomes. */
const pay = async (
  { ask, isOver }: Asking,
  { merchant, round, acknowledged, untilStopped }: LoadOptions,
  client: number,
): Promise<void> => {
  for (let i = 0; !isOver(); i++) {
    const paymentId = `r${round}_c${client}_${i}`
    const decided = await ask('POST /decide-gateway', decisionRequest(merchant.id, paymentId))
    if (decided === undefined) continue
    const status = STATUSES[i % STATUSES.length]
    const outcome = { merchantId: merchant.id, gateway: decided.json.decided_gateway, paymentId, status }
    if ((await ask('POST /update-gateway-score', outcome)) !== undefined) acknowledged.outcomes.push(paymentId)
    if (untilStopped !== undefined) await delay(untilStopped.pauseMs)
  }
}

const issueKeys = async ({ ask, isOver }: Asking, { url, merchant, round, acknowledged, untilStopped }: LoadOptions): Promise<void> => {
  while (!isOver()) {
    if (untilStopped !== undefined) await delay(untilStopped.pauseMs)
    const created = await ask('POST /api-key/create', { merchant_id: merchant.id, description: `round ${round}` })
    if (created === undefined) continue
    acknowledged.keyIds.push(created.json.key_id)
    await call(url, `DELETE /api-key/${created.json.key_id}`, { headers: merchant.key }).catch(() => undefined)
  }
}

const draftAlgorithms = async ({ ask, isOver }: Asking, { merchant, round, acknowledged, untilStopped }: LoadOptions): Promise<void> => {
  for (let i = 0; !isOver(); i++) {
    if (untilStopped !== undefined) await delay(untilStopped.pauseMs)
    const algorithm = { type: 'single', data: { gateway_name: 'adyen' } }
    const created = await ask('POST /routing/create', { name: `a${round}_${i}`, created_by: merchant.id, algorithm })
    if (created === undefined) continue
    acknowledged.algorithmIds.push(created.json.rule_id)
    await ask('POST /routing/activate', { created_by: merchant.id, routing_algorithm_id: created.json.rule_id })
  }
}

/** There is no endpoint: what is submitted is kept for whoever retries it by hand. */
const submitWebhooks = async ({ ask, isOver }: Asking, { merchant, round, acknowledged, untilStopped }: LoadOptions): Promise<void> => {
  for (let i = 0; !isOver(); i++) {
    if (untilStopped !== undefined) await delay(untilStopped.pauseMs)
    const objectId = `hook_r${round}_${i}`
    const event = { event_type: 'payment_succeeded', object_id: objectId, content: { amount: i } }
    const accepted = await ask(`POST /merchant-account/${merchant.id}/events`, event)
    if (accepted !== undefined) acknowledged.webhookObjectIds.push(objectId)
  }
}

/** Each report is of another account, so that its payments are counted by themselves. */
const uploadReports = async ({ ask, isOver }: Asking, { merchant, round, acknowledged, reportPauseMs }: LoadOptions): Promise<void> => {
  for (let i = 0; reportPauseMs !== undefined && !isOver(); i++) {
    const path = `/merchant-account/${merchant.id}/connectors/adyen/report?account=r${round}_${i}`
    const uploaded = await ask(`POST ${path}`, adyenReport({ count: REPORT_PAYMENT_COUNT, pctBps: 120, fixed: 0.1, date: '2026-01-05' }))
    if (uploaded !== undefined) acknowledged.ingestionIds.push(uploaded.json.id)
    for (const until = performance.now() + reportPauseMs; performance.now() < until && !isOver(); ) await delay(LOOK_PAUSE_MS)
  }
}

/** Drives a server with decisions, outcomes and commands; notes what it acknowledged. */
export const runLoad = (options: LoadOptions): Load => {
  const { url, merchant, untilStopped, paymentClientCount = PAYMENT_CLIENTS } = options
  const refusals = new Map<string, number>()
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let count = 0
  let isOver = false

  const refuse = async (why: string): Promise<undefined> => {
    if (untilStopped === undefined) isOver = true
    refusals.set(why, (refusals.get(why) ?? 0) + 1)
    await delay(untilStopped?.pauseMs ?? 0)
    return undefined
  }
  const askBy =
    (send: (request: string, body: object | string, late: AbortSignal) => Promise<Given>): Asking['ask'] =>
    async (request, body) => {
      const late = AbortSignal.timeout(ANSWER_MAX_MS)
      const answer = await send(request, body, late).catch(() => undefined)
      if (late.aborted) throw new Error(`${request} was not answered within ${ANSWER_MAX_MS} ms`)
      if (answer === undefined) return await refuse('gone')
      if (untilStopped !== undefined && answer.status === 503) return await refuse(`${request}: ${answer.text}`)
      if (answer.status !== 200 && answer.status !== 202) throw new Error(`${request} was answered ${answer.status} ${answer.text}`)
      count++
      for (const waiter of waiting) if (count >= waiter.count) waiter.resolve()
      return answer
    }

  const { key: headers } = merchant
  const asking: Asking = { ask: askBy((request, body, signal) => call(url, request, { body, headers, signal })), isOver: () => isOver }
  /** On a connection that asks for nothing else, so that it stays where decisions are made. */
  const payAlone = async (client: number): Promise<void> => {
    const connection = openConnection(url)
    const ask = askBy((request, body, signal) => connection.ask(request, body, headers, signal))
    await pay({ ...asking, ask }, options, client).finally(connection.close)
  }
  const payments = Array.from({ length: paymentClientCount }, (_, client) => payAlone(client))
  const others = [issueKeys, draftAlgorithms, submitWebhooks, uploadReports].map((client) => client(asking, options))
  const stopped = Promise.all([...payments, ...others]).then(() => undefined)
  return {
    // A client that meets a fault ends the wait: its error is the test's.
    reached: (wanted) => Promise.race([new Promise<void>((resolve) => waiting.push({ count: wanted, resolve })), stopped]),
    count: () => count,
    refusals: () => refusals,
    stopped,
    stop: async () => {
      isOver = true
      await stopped
    },
  }
}
