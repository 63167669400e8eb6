import { randomBytes } from 'node:crypto'
import { merchants } from '@switchyard/access'
import { createEventCodec, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import type { OutboundOutcome, OutboundRequest, ReadStore, SendRequest } from '@switchyard/kernel'
import { createMemoryLog, type MemoryLog } from '@switchyard/log-memory'
import { nodeHmac } from '@switchyard/outbound'
import {
  CHECKPOINTS_COLLECTION,
  createCommandHandler,
  createMerchantCipher,
  createNewId,
  createStreamStates,
  DEAD_LETTERS_COLLECTION,
  GENERATIONS_COLLECTION,
  type KeyVault,
  STREAM_STATES_COLLECTION,
  systemTimers,
  type Timers,
} from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { webhookCollections, webhookEndpoints } from '@switchyard/webhooks'
import type { EndpointWish, RecoveryWish, Submission } from './operations.ts'
import { createWebhookDispatcher, type WebhookDispatcher } from './webhook-dispatcher.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const BOUND_MS = 10_000

/** Who asks in these samples. */
export const ORIGIN = { actor: 'user:u1', requestId: 'r1' }
/** The merchant and the endpoint of these samples. */
export const PLACE = { merchantId: 'm1', profileId: 'default', origin: ORIGIN }

/** What the endpoint answers: a status, or what went wrong instead. */
type Answering = number | Exclude<OutboundOutcome['kind'], 'answered' | 'refused' | 'timeout'> | 'timeout' | 'hang'

/** An endpoint that answers as it is told, and remembers what it got. */
interface ScriptedEndpoint {
  readonly send: SendRequest
  readonly got: readonly OutboundRequest[]
  /** What it answers from now on; the last one stays. */
  readonly answers: (...answers: readonly Answering[]) => void
  /** Lets those that hang end with this status. */
  readonly release: (status: number) => void
  readonly headers: (...headers: readonly (readonly [string, string])[]) => void
}

const createScriptedEndpoint = (): ScriptedEndpoint => {
  let script: Answering[] = [200]
  let headers: readonly (readonly [string, string])[] = []
  let hanging: ((status: number) => void)[] = []
  const got: OutboundRequest[] = []
  const answered = (status: number): OutboundOutcome => ({ kind: 'answered', status, headers, body: 'ok', bodyEnd: 'whole', latencyMs: 1 })
  const outcomeOf = async (answer: Answering): Promise<OutboundOutcome> => {
    if (typeof answer === 'number') return answered(answer)
    if (answer === 'timeout') return { kind: 'timeout', phase: 'answer', latencyMs: 1 }
    if (answer !== 'hang') return { kind: answer, latencyMs: 1 }
    return answered(await new Promise<number>((resolve) => hanging.push(resolve)))
  }
  return {
    got,
    send: (request) => {
      got.push(request)
      return outcomeOf((script.length > 1 ? script.shift() : script[0]) ?? 200)
    },
    answers: (...next) => {
      script = [...next]
    },
    release: (status) => {
      for (const resume of hanging) resume(status)
      hanging = []
    },
    headers: (...next) => {
      headers = next
    },
  }
}

/** A vault in memory, and what tests make of it. */
interface SampleVault extends KeyVault {
  readonly count: () => number
  /** Does this once, while somebody waits for a key. */
  readonly meanwhile: (act: () => Promise<void>) => void
}

const memoryVault = (): SampleVault => {
  const keys = new Map<string, Uint8Array>()
  const id = (merchantId: string, life: number): string => JSON.stringify([merchantId, life])
  let pending: (() => Promise<void>) | undefined
  return {
    count: () => keys.size,
    meanwhile: (act) => {
      pending = act
    },
    find: async (merchantId, life) => {
      const act = pending
      pending = undefined
      await act?.()
      return keys.get(id(merchantId, life))
    },
    keep: async (merchantId, life, key) => {
      if (!keys.has(id(merchantId, life))) keys.set(id(merchantId, life), key)
      return keys.get(id(merchantId, life)) ?? key
    },
    destroy: async (merchantId, life) => void keys.delete(id(merchantId, life)),
    pages: async function* () {
      yield []
    },
    place: 'memory',
  }
}

/** The services of one deployment on engines in memory, with a clock that a test moves. */
export interface World {
  readonly log: MemoryLog
  readonly store: ReadStore
  readonly endpoint: ScriptedEndpoint
  readonly vault: SampleVault
  readonly reports: readonly string[]
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly pass: (ms: number) => void
  /** A process: several may run at the same time, and one after another. */
  readonly start: (send?: SendRequest, timers?: Timers) => Promise<Running>
  /** Appends events as somebody else would. */
  readonly append: (...events: readonly SwitchyardEvent[]) => Promise<void>
}

/** A running process of a {@link World}. */
export interface Running extends WebhookDispatcher {
  readonly end: () => Promise<void>
}

const fail = (error: unknown): never => {
  throw error
}

/** A deployment with the merchant `m1`, without an endpoint. */
export const createWorld = async (): Promise<World> => {
  const log = createMemoryLog({ partitionCount: 2 })
  const own = [STREAM_STATES_COLLECTION, CHECKPOINTS_COLLECTION, DEAD_LETTERS_COLLECTION, GENERATIONS_COLLECTION]
  const store = createMemoryStore({ collections: [...own.map((name) => ({ name, indexes: [] })), ...webhookCollections] })
  const endpoint = createScriptedEndpoint()
  const vault = memoryVault()
  const reports: string[] = []
  let passedMs = 0
  const now = (): number => Date.now() + passedMs
  const newId = createNewId(now, randomBytes)

  const start = async (send: SendRequest = endpoint.send, timers: Timers = systemTimers): Promise<Running> => {
    const states = createStreamStates({ log, store, codec, slices: [merchants, webhookEndpoints], onFailure: fail })
    const lifeOf = (merchantId: string): number => states.stateOf(merchants, merchantId).registrationCount
    const dispatcher = createWebhookDispatcher({
      log,
      store,
      codec,
      states,
      handle: createCommandHandler({ log, codec, states, newId, lifeOf }),
      cipher: createMerchantCipher({ vault, secrets: ['a secret of the deployment, long enough'], lifeOf }),
      send,
      checkUrl: (text) => (text.startsWith('https://') ? { accepted: true } : { accepted: false, rule: 'scheme_not_allowed' }),
      hmac: nodeHmac,
      now,
      newId,
      randomBytes,
      report: { info: (text) => reports.push(text), failed: (text) => reports.push(text) },
      onFailure: fail,
      timers,
    })
    await states.start()
    await dispatcher.start()
    const end = async (): Promise<void> => {
      await dispatcher.stop()
      await states.stop()
    }
    return { ...dispatcher, end }
  }

  const append = async (...events: readonly SwitchyardEvent[]): Promise<void> => {
    for (const event of events) {
      const topic = event.type.startsWith('Merchant') ? 'config' : 'webhooks'
      const key = 'merchantId' in event.data ? (event.data.merchantId ?? '') : ''
      await log.append(topic, [{ key, value: codec.encode(event), headers: { id: newId(), type: event.type } }])
    }
  }
  await append({ type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: now() } })
  return {
    log,
    store,
    endpoint,
    vault,
    reports,
    now,
    append,
    start,
    pass: (ms) => {
      passedMs += ms
    },
  }
}

/** The settings of an endpoint; `change` replaces some. */
export const wish = (change: Partial<EndpointWish> = {}): EndpointWish => ({
  url: 'https://shop.example/hook',
  secret: null,
  customHeaders: {},
  eventTypes: null,
  isEnabled: true,
  timeoutSeconds: 15,
  maxConcurrencyCount: 8,
  maxPerSecondCount: null,
  retryDelaysSeconds: null,
  ...change,
})

let objects = 0

/** An event to submit, of an object of its own. */
export const submission = (change: Partial<Submission> = {}): Submission => ({
  merchantId: 'm1',
  profileId: 'default',
  eventType: 'payment_succeeded',
  objectId: `pay_${++objects}`,
  content: JSON.stringify({ payment_id: `pay_${objects}`, amount: 1250 }),
  processorMerchantId: null,
  occurredAt: null,
  idempotencyKey: null,
  origin: ORIGIN,
  ...change,
})

/** Submits an event and gives the id of its chain. */
export const submitted = async (
  { operations }: Pick<WebhookDispatcher, 'operations'>,
  change: Partial<Submission> = {},
): Promise<string> => {
  const answer = await operations.submit(submission(change))
  if (!answer.ok || answer.value.kind === 'filtered') throw new Error(`not accepted: ${JSON.stringify(answer)}`)
  return answer.value.row.eventId
}

/** Asks a process to send again what was not delivered of `m1` until now. */
export const recover = (
  { operations }: Pick<WebhookDispatcher, 'operations'>,
  change: Partial<RecoveryWish> = {},
): ReturnType<WebhookDispatcher['operations']['recover']> =>
  operations.recover({
    merchantId: 'm1',
    sinceAt: 0,
    untilAt: Number.MAX_SAFE_INTEGER,
    profileId: null,
    eventTypes: [],
    onlyUndelivered: true,
    origin: ORIGIN,
    ...change,
  })

/** Waits until `ask` gives something; says what it was waiting for when the bound is passed. */
export const until = async <Value>(what: string, ask: () => Promise<Value | undefined> | Value | undefined): Promise<Value> => {
  const deadline = Date.now() + BOUND_MS
  for (;;) {
    const value = await ask()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error(`${what} did not come about in ${BOUND_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
