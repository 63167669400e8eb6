import type {
  DeliveryAbandoned,
  DeliveryAttemptFinished,
  DeliveryAttemptKind,
  DeliveryAttemptStarted,
  WebhookEventAccepted,
  WebhookEventRetracted,
} from '@switchyard/events'
import { assertNever } from '@switchyard/kernel'
import { RECOVERY_GRACE_MS, RETRY_KEY_WINDOW_MS } from '../limits.ts'

/** What the state of a chain follows from. */
export type ChainEvent = WebhookEventAccepted | WebhookEventRetracted | DeliveryAttemptStarted | DeliveryAttemptFinished | DeliveryAbandoned

/** One attempt at delivering; times are epoch milliseconds. */
export interface Attempt {
  readonly eventId: string
  /** Of the record that started it; empty when none did. */
  readonly claimId: string
  readonly kind: DeliveryAttemptKind
  readonly startedAt: number
  /** When it is over at the latest. */
  readonly deadlineAt: number
  /** Null while it is under way. */
  readonly finishedAt: number | null
  readonly statusCode: number | null
  readonly errorMessage: string | null
  readonly idempotencyKey: string | null
  readonly taskId: string | null
}

/**
 * Where the delivery of an event stands (webhooks.md 7.1). A disabled endpoint pauses its chains without changing them; `RETRACTED`
 * was accepted twice at the same time and is not shown.
 */
export type ChainStatus = 'ABSENT' | 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'UNDELIVERABLE' | 'RETRACTED'

/** All attempts at delivering one event; times are epoch milliseconds. */
export interface Chain {
  readonly merchantId: string
  readonly chainId: string
  readonly profileId: string
  readonly objectId: string
  readonly eventType: string
  readonly processorMerchantId: string | null
  readonly dedupeKey: string
  readonly createdAt: number
  readonly status: ChainStatus
  /** Counts what concerned the schedule; who starts a scheduled attempt must have seen all of it (law 5). */
  readonly version: number
  /** Initial and automatic attempts that were started. */
  readonly scheduledCount: number
  /** When the next scheduled attempt is due; null when there is none to come. */
  readonly nextAt: number | null
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  /** Declared index: when the initial attempt is due, until it is begun. */
  readonly freshAt?: number
  /** Declared index, absent when nothing is due: the next automatic retry, or the end of what was begun and never finished. */
  readonly dueAt?: number
  /** Declared index: `createdAt` of what is shown. */
  readonly listedAt?: number
}

/** A chain of which nothing was recorded. */
export const absentChain = (merchantId: string, chainId: string): Chain => ({
  merchantId,
  chainId,
  profileId: '',
  objectId: '',
  eventType: '',
  processorMerchantId: null,
  dedupeKey: '',
  createdAt: 0,
  status: 'ABSENT',
  version: 0,
  scheduledCount: 0,
  nextAt: null,
  attempts: [],
})

/** What an event without an active endpoint is told as its initial attempt's failure (webhooks.md 7.1). */
const NO_ENDPOINT = 'no webhook endpoint'

/** Whether an attempt was taken (webhooks.md 6). */
export const isSuccess = (statusCode: number | null): boolean => statusCode !== null && statusCode >= 200 && statusCode <= 299

const isScheduled = (kind: DeliveryAttemptKind): boolean => kind !== 'MANUAL'

/** Attempts under way. */
export const unfinished = ({ attempts }: Chain): readonly Attempt[] => attempts.filter(({ finishedAt }) => finishedAt === null)

/** Whether a scheduled attempt is under way. */
export const isScheduledUnderWay = (chain: Chain): boolean => unfinished(chain).some(({ kind }) => isScheduled(kind))

/** What an attempt by hand is recognised by. */
type Asked = Pick<Attempt, 'idempotencyKey' | 'taskId'> & { readonly at: number }

/** Whether it was begun already: a retry under the same key within a day, or the attempt of the same recovery. */
export const isRepeated = ({ attempts }: Chain, { idempotencyKey, taskId, at }: Asked): boolean => {
  const isOfKey = (known: Attempt): boolean =>
    idempotencyKey !== null && known.idempotencyKey === idempotencyKey && at - known.startedAt < RETRY_KEY_WINDOW_MS
  return attempts.some((known) => isOfKey(known) || (taskId !== null && known.taskId === taskId))
}

/** The flag of all attempts of a chain (webhooks.md 7.2): true once one was taken, null while one is to come and none has finished. */
export const isDelivered = ({ status, attempts }: Chain): boolean | null => {
  if (status === 'DELIVERED') return true
  if (status === 'EXHAUSTED') return false
  return attempts.some(({ finishedAt }) => finishedAt !== null) ? false : null
}

/** Initial attempts have an index of their own: a backlog of retries must not stand in their way. */
const indexed = ({ freshAt: _freshAt, dueAt: _dueAt, ...chain }: Chain): Chain => {
  const next = chain.status === 'PENDING' && !isScheduledUnderWay(chain) ? chain.nextAt : null
  const isFresh = chain.scheduledCount === 0
  const ends = unfinished(chain).map(({ deadlineAt }) => deadlineAt + RECOVERY_GRACE_MS)
  const times = next === null || isFresh ? ends : [next, ...ends]
  return {
    ...chain,
    ...(next !== null && isFresh && { freshAt: next }),
    ...(times.length > 0 && { dueAt: Math.min(...times) }),
  }
}

const notSent = (eventId: string, at: number): Attempt => ({
  eventId,
  claimId: '',
  kind: 'INITIAL',
  startedAt: at,
  deadlineAt: at,
  finishedAt: at,
  statusCode: null,
  errorMessage: NO_ENDPOINT,
  idempotencyKey: null,
  taskId: null,
})

const accepted = (chain: Chain, { data }: WebhookEventAccepted): Chain => {
  if (chain.status !== 'ABSENT') return chain
  const { profileId, objectId, eventType, processorMerchantId, dedupeKey, isDeliverable, at } = data
  return {
    ...chain,
    profileId,
    objectId,
    eventType,
    processorMerchantId,
    dedupeKey,
    createdAt: at,
    listedAt: at,
    status: isDeliverable ? 'PENDING' : 'UNDELIVERABLE',
    version: 1,
    nextAt: isDeliverable ? at : null,
    attempts: isDeliverable ? [] : [notSent(chain.chainId, at)],
  }
}

const started = (chain: Chain, { data }: DeliveryAttemptStarted): Chain => {
  // Two processes were asked at the same time: the first one sends.
  if (isRepeated(chain, data)) return chain
  const { eventId, claimId, kind, deadlineAt, idempotencyKey, taskId, at } = data
  const attempt: Attempt = {
    eventId,
    claimId,
    kind,
    startedAt: at,
    deadlineAt,
    finishedAt: null,
    statusCode: null,
    errorMessage: null,
    idempotencyKey,
    taskId,
  }
  const attempts = [...chain.attempts, attempt]
  if (!isScheduled(kind)) return { ...chain, attempts }
  return { ...chain, attempts, version: chain.version + 1, scheduledCount: chain.scheduledCount + 1, nextAt: null }
}

/** What the end of an attempt means for the chain: a success delivers it for good, a failure moves the schedule on. */
const settled = (chain: Chain, attempt: Attempt, nextRetryAt: number | null): Chain => {
  if (chain.status === 'DELIVERED') return chain
  if (isSuccess(attempt.statusCode)) return { ...chain, status: 'DELIVERED', version: chain.version + 1, nextAt: null }
  if (!isScheduled(attempt.kind) || chain.status !== 'PENDING') return chain
  return { ...chain, status: nextRetryAt === null ? 'EXHAUSTED' : 'PENDING', version: chain.version + 1, nextAt: nextRetryAt }
}

const finished = (chain: Chain, { data }: DeliveryAttemptFinished): Chain => {
  const { eventId, statusCode, errorMessage, nextRetryAt, at } = data
  const attempt = chain.attempts.find((known) => known.eventId === eventId)
  // Whoever gave the attempt up, or finished it, was faster: a late result changes nothing.
  if (attempt === undefined || attempt.finishedAt !== null) return chain
  const ended = { ...attempt, finishedAt: at, statusCode, errorMessage }
  const attempts = chain.attempts.map((known) => (known === attempt ? ended : known))
  return settled({ ...chain, attempts }, ended, nextRetryAt)
}

const retracted = ({ listedAt: _listedAt, ...chain }: Chain): Chain => ({
  ...chain,
  status: 'RETRACTED',
  version: chain.version + 1,
  nextAt: null,
})

const evolved = (chain: Chain, event: ChainEvent): Chain => {
  if (event.type === 'WebhookEventAccepted') return accepted(chain, event)
  // Its beginning is not kept any more.
  if (chain.status === 'ABSENT') return chain
  switch (event.type) {
    case 'WebhookEventRetracted':
      return retracted(chain)
    case 'DeliveryAttemptStarted':
      return started(chain, event)
    case 'DeliveryAttemptFinished':
      return finished(chain, event)
    case 'DeliveryAbandoned':
      return { ...chain, status: 'EXHAUSTED', version: chain.version + 1, nextAt: null }
    default:
      return assertNever(event)
  }
}

/** The fold of a chain; the same chain when nothing changed. */
export const evolveChain = (chain: Chain, event: ChainEvent): Chain => {
  const next = evolved(chain, event)
  return next === chain ? chain : indexed(next)
}
