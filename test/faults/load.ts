import { type Answer, call, decisionRequest, type TestMerchant } from '../support/client.ts'

/** What the server has answered 200 to, over all rounds. */
export interface Acknowledged {
  readonly outcomes: string[]
  readonly keyIds: string[]
  readonly algorithmIds: string[]
}

export interface LoadOptions {
  readonly url: string
  readonly merchant: TestMerchant
  readonly round: number
  readonly acknowledged: Acknowledged
}

/** A running load. */
export interface Load {
  /** Resolves when this many answers were 200. */
  readonly reached: (count: number) => Promise<void>
  /** Resolves when every client has met the end of the server. */
  readonly stopped: Promise<void>
}

/** Clients that work at the same time: most decide and report, two change configuration. */
const PAYMENT_CLIENTS = 12
const STATUSES = ['CHARGED', 'CHARGED', 'FAILURE', 'AUTHORIZATION_FAILED']

/** Drives a server with decisions, outcomes and commands until it is gone; notes what it acknowledged. */
export const runLoad = ({ url, merchant, round, acknowledged }: LoadOptions): Load => {
  let count = 0
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []

  /** The answer, or undefined when the server is gone; every other answer than 200 is a fault of the server. */
  const ask = async (request: string, body: object): Promise<Answer | undefined> => {
    const answer = await call(url, request, { body, headers: merchant.key }).catch(() => undefined)
    if (answer === undefined) return undefined
    if (answer.status !== 200) throw new Error(`${request} was answered ${answer.status} ${answer.text}`)
    count++
    for (const waiter of waiting) if (count >= waiter.count) waiter.resolve()
    return answer
  }

  const payments = async (client: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const paymentId = `r${round}_c${client}_${i}`
      const decided = await ask('POST /decide-gateway', decisionRequest(merchant.id, paymentId))
      if (decided === undefined) return
      const status = STATUSES[i % STATUSES.length]
      const outcome = { merchantId: merchant.id, gateway: decided.json.decided_gateway, paymentId, status }
      if ((await ask('POST /update-gateway-score', outcome)) === undefined) return
      acknowledged.outcomes.push(paymentId)
    }
  }

  const keys = async (): Promise<void> => {
    for (;;) {
      const created = await ask('POST /api-key/create', { merchant_id: merchant.id, description: `round ${round}` })
      if (created === undefined) return
      acknowledged.keyIds.push(created.json.key_id)
      await call(url, `DELETE /api-key/${created.json.key_id}`, { headers: merchant.key }).catch(() => undefined)
    }
  }

  const algorithms = async (): Promise<void> => {
    for (let i = 0; ; i++) {
      const algorithm = { type: 'single', data: { gateway_name: 'adyen' } }
      const created = await ask('POST /routing/create', { name: `a${round}_${i}`, created_by: merchant.id, algorithm })
      if (created === undefined) return
      acknowledged.algorithmIds.push(created.json.rule_id)
      const named = { created_by: merchant.id, routing_algorithm_id: created.json.rule_id }
      if ((await ask('POST /routing/activate', named)) === undefined) return
    }
  }

  const clients = [...Array.from({ length: PAYMENT_CLIENTS }, (_, client) => payments(client)), keys(), algorithms()]
  const stopped = Promise.all(clients).then(() => undefined)
  return {
    // A client that meets a fault ends the wait: its error is the test's.
    reached: (wanted) => Promise.race([new Promise<void>((resolve) => waiting.push({ count: wanted, resolve })), stopped]),
    stopped,
  }
}
