import { merchants } from '@switchyard/access'
import { type DeliveryFigures, webhookProjections } from '@switchyard/composition'
import type { EventCodec } from '@switchyard/events'
import { type EventLog, type Hmac, isOperatingError, type NewId, type Now, type ReadStore, type SendRequest } from '@switchyard/kernel'
import {
  createDocumentTopicFold,
  createGenerationProjector,
  createProjector,
  createRetention,
  decodeWebhooksEvent,
  type GenerationProjector,
  type HandleCommand,
  type MerchantCipher,
  type RetentionRule,
  retry,
  type StreamStates,
  systemTimers,
  type Timers,
} from '@switchyard/runtime'
import { AGE_INDEX, CONTENT_RETENTION_MS, FORGETTING_COLLECTIONS } from '@switchyard/webhooks'
import { createDeliveryTally } from './delivery/delivery-tally.ts'
import { createDispatcher } from './delivery/dispatcher.ts'
import { createEndpointTally } from './delivery/endpoint-tally.ts'
import { createManualRetries } from './delivery/manual-retry.ts'
import { createOpenEndpoint } from './delivery/opened-endpoints.ts'
import { createEndpointOperations } from './endpoint-operations.ts'
import { answering, createJournal } from './journal.ts'
import { PROJECTION_LIMITS } from './limits.ts'
import type { WebhookOperations } from './operations.ts'
import { type CheckUrl, type Parts, refused } from './parts.ts'
import { attemptsOf, detailOf, detailsOf, findChain } from './reads/event-details.ts'
import { listEvents } from './reads/list-events.ts'
import { createSealedJson } from './sealed-json.ts'
import { createSubmit } from './submit-event.ts'
import { createRecoveries } from './upkeep/recoveries.ts'

/** What the service works on. */
export interface WebhookDispatcherDependencies {
  readonly log: EventLog
  /** Opened with the collections of webhooks and of projectors. */
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly states: StreamStates
  readonly handle: HandleCommand
  readonly cipher: MerchantCipher
  readonly send: SendRequest
  readonly checkUrl: CheckUrl
  readonly hmac: Hmac
  readonly now: Now
  readonly newId: NewId
  readonly randomBytes: (count: number) => Uint8Array
  readonly report: Parts['report']
  /** Of the dispatcher; absent: those of the process. */
  readonly timers?: Timers
  /** The projector can't go on. */
  readonly onFailure: (error: unknown) => void
}

/** Takes events, delivers them, and tells of both. */
export interface WebhookDispatcher {
  readonly operations: WebhookOperations
  readonly projector: Pick<GenerationProjector, 'status' | 'isCaughtUp' | 'projectedUpTo'>
  /** For metrics. */
  readonly figures: () => DeliveryFigures
  /** Catches up with the log, then takes up what is due. */
  readonly start: () => Promise<void>
  /** Waits for the attempts that are under way. */
  readonly stop: () => Promise<void>
}

const createWebhookProjector = (
  { log, store, codec, now, onFailure }: WebhookDispatcherDependencies,
  notice: (event: Parameters<ReturnType<typeof createDispatcher>['notice']>[0]) => void,
): GenerationProjector =>
  createGenerationProjector({
    topic: 'webhooks',
    store,
    isShared: false,
    onFailure,
    create: (own) =>
      createProjector({
        topic: 'webhooks',
        log,
        now,
        onFailure,
        store: own,
        createFold: () =>
          createDocumentTopicFold({
            topic: 'webhooks',
            store: own,
            decode: (value) => decodeWebhooksEvent(codec, value),
            names: webhookProjections.map(({ name }) => name),
          }),
        projections: webhookProjections,
        onProjected: (inputs) => {
          for (const { event } of inputs) notice(event)
        },
        limits: PROJECTION_LIMITS,
      }),
  })

const readOperations = (parts: Parts): Pick<WebhookOperations, 'list' | 'attempts' | 'retrieve'> => ({
  list: (filter) => listEvents(parts, filter),
  attempts: async ({ merchantId, eventId, limit, offset }) => {
    await parts.journal.readIndex(merchantId)
    const chain = await findChain(parts, merchantId, eventId)
    if (chain === undefined) return refused('EVENT_NOT_FOUND')
    const page = attemptsOf(chain)
      .toReversed()
      .slice(offset, offset + limit)
    return { ok: true, value: await detailsOf(parts, chain, page) }
  },
  retrieve: async ({ merchantId, eventId }) => {
    await parts.journal.readIndex(merchantId)
    const chain = await findChain(parts, merchantId, eventId)
    const attempt = chain === undefined ? undefined : attemptsOf(chain).find((known) => known.eventId === eventId)
    if (chain === undefined || attempt === undefined) return refused('EVENT_NOT_FOUND')
    return { ok: true, value: await detailOf(parts, chain, attempt) }
  },
})

/**
 * A closed merchant's keys are destroyed, and with them all that was sent and answered for it (law 10). What holds them may be away: it is
 * waited for, once for each that was closed, however often a later merchant of the id changes meanwhile.
 */
const destroyKeysOfClosed = ({ states, cipher, report }: WebhookDispatcherDependencies, signal: AbortSignal): void => {
  const underWay = new Set<string>()
  const isTransient = (error: unknown): boolean => isOperatingError(error) && error.retryable

  const destroy = async (merchantId: string, life: number): Promise<void> => {
    const id = JSON.stringify([merchantId, life])
    if (underWay.has(id)) return
    underWay.add(id)
    try {
      await retry(() => cipher.destroyBefore(merchantId, life), { isTransient, timers: systemTimers, signal })
    } catch (error) {
      report.failed(`keys of the closed merchant ${merchantId} remain`, error)
    } finally {
      underWay.delete(id)
    }
  }

  states.onChange((merchantId) => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    const life = registered ? registrationCount : registrationCount + 1
    if (life > 1) void destroy(merchantId, life)
  })
}

/** What was sent and answered is kept as long as the topic, so that a replay gives what is there; the chains and their flags stay (webhooks.md 10). */
const CONTENT_RETENTION: RetentionRule = {
  collections: FORGETTING_COLLECTIONS,
  index: AGE_INDEX,
  ageMsMax: CONTENT_RETENTION_MS,
}

/** The {@link WebhookDispatcher} of a process. */
export const createWebhookDispatcher = (dependencies: WebhookDispatcherDependencies): WebhookDispatcher => {
  const { log, codec, cipher, newId, report } = dependencies
  const projector = createWebhookProjector(dependencies, (event) => {
    dispatcher.notice(event)
    recoveries.notice(event)
  })
  const ending = new AbortController()
  const sealed = createSealedJson(cipher, report)
  const parts: Parts = {
    ...dependencies,
    store: projector.readModels,
    journal: createJournal({ log, codec, projector, newId }),
    sealed,
    openEndpoint: createOpenEndpoint(sealed),
    tally: createDeliveryTally(),
    ending: ending.signal,
  }
  const asked: Parts = { ...parts, journal: createJournal({ log, codec, projector: answering(projector, dependencies.timers), newId }) }
  const dispatcher = createDispatcher(parts, dependencies.timers)
  const retries = createManualRetries(asked)
  const recoveries = createRecoveries(asked, dependencies.timers)
  const endpoints = createEndpointTally(parts)
  const retention = createRetention({ ...parts, rule: CONTENT_RETENTION, positions: async () => (await projector.status()).positions })

  return {
    projector,
    operations: {
      ...createEndpointOperations(asked),
      ...readOperations(asked),
      submit: createSubmit(asked),
      retry: retries.retry,
      recover: recoveries.recover,
      readRecovery: recoveries.readRecovery,
      waitFor: (position) => projector.processedUpTo(position),
    },
    figures: () => ({ ...dispatcher.figures(), ...parts.tally.read(), endpoints: endpoints.read() }),
    start: async () => {
      await projector.start()
      await projector.caughtUp()
      dispatcher.listen()
      // What came in between is in the index now.
      await projector.caughtUp()
      destroyKeysOfClosed(dependencies, ending.signal)
      parts.states.onChange(endpoints.recount)
      await dispatcher.start()
      await recoveries.start()
      retention.start()
    },
    stop: async () => {
      await Promise.all([retention.stop(), recoveries.stop(), retries.stop(), dispatcher.stop()])
      ending.abort()
      await projector.stop()
    },
  }
}
