import type { WebhooksEvent } from '@switchyard/events'
import { isOperatingError } from '@switchyard/kernel'
import { pause, systemTimers, type Timers, within } from '@switchyard/runtime'
import { type Chain, CREATED_INDEX, type Recovery, webhookChains, webhookRecoveries } from '@switchyard/webhooks'
import { drained } from '../delivery/drained.ts'
import { makeAttempt } from '../delivery/make-attempt.ts'
import { SCHEDULE, storeAway } from '../journal.ts'
import { RECOVERY_CONCURRENCY, RECOVERY_LOOK_MS, RECOVERY_PER_SECOND_DEFAULT, RECOVERY_RETRY_MS, VIEW_MAX_MS } from '../limits.ts'
import type { Answer, RecoveryWish, WebhookOperations } from '../operations.ts'
import { currentEndpoint, type Parts, refused } from '../parts.ts'
import { chainPages, historySinceOf, mayNameProfile } from '../reads/list-events.ts'
import { createAwaitedTurns, type TellTurn } from './awaited-turns.ts'
import { createStandstills, hasRunning, hasTurn, runningRecoveries } from './running-recoveries.ts'
import { countWanted, isWanted, type Wanted } from './wanted-chains.ts'

/** Sends the events of a time span again (webhooks.md 9.4). */
export interface Recoveries extends Pick<WebhookOperations, 'recover' | 'readRecovery'> {
  /** Hears of what was recorded, and carries out what was begun here. */
  readonly notice: (event: WebhooksEvent) => void
  /** Goes on with what an earlier process has begun, and from now on with what one leaves that is killed. */
  readonly start: () => Promise<void>
  /** Leaves what is not attempted yet to the next process. */
  readonly stop: () => Promise<void>
}

/** What is carried out, and under which id. */
type Task = Wanted & Pick<Recovery, 'taskId'>

/** Chains as they are stored: whoever acts on one looks at it again. */
const storedChains = (parts: Parts, { merchantId, sinceAt, untilAt: to }: Wanted): AsyncGenerator<readonly Chain[]> => {
  const from = Math.max(sinceAt, historySinceOf(parts, merchantId))
  return chainPages(parts, { index: CREATED_INDEX, prefix: [merchantId], from, to })
}

/** How many chains are wanted, or why they can't be sent again. */
const countMatched = async (parts: Parts, wanted: Wanted): Promise<Answer<number>> => {
  const value = await countWanted(storedChains(parts, wanted), wanted)
  if (value === undefined) return refused('RECOVERY_TOO_LARGE')
  return value > 0 || (await mayNameProfile(parts, wanted)) ? { ok: true, value } : refused('PROFILE_NOT_FOUND')
}

async function* wantedChains(parts: Parts, wanted: Wanted): AsyncGenerator<Chain> {
  for await (const chains of storedChains(parts, wanted)) {
    for (const chain of chains) if (isWanted(chain, wanted)) yield chain
  }
}

/** One attempt for the task, unless there is nothing to attempt any more. */
const attemptOne = async (parts: Parts, recovery: Task, chainId: string): Promise<void> => {
  const { merchantId, taskId } = recovery
  const chain = await parts.journal.view(webhookChains, [merchantId, chainId])
  const endpoint = currentEndpoint(parts, merchantId, chain.profileId)
  const isDone = chain.attempts.some((attempt) => attempt.taskId === taskId)
  if (isDone || !isWanted(chain, recovery) || endpoint === undefined || endpoint.status === 'disabled_by_merchant') return
  await makeAttempt(parts, chain, endpoint, { kind: 'manual', idempotencyKey: null, taskId, origin: SCHEDULE })
}

/** Whether another process has brought it to its end: a later recovery may run already. */
const isOver = async ({ journal }: Parts, { merchantId, taskId }: Task): Promise<boolean> =>
  (await journal.view(webhookRecoveries, [merchantId, taskId])).status === 'completed'

const finish = async ({ journal, now }: Parts, { merchantId, taskId }: Task): Promise<void> =>
  void (await journal.record([{ type: 'RecoveryFinished', data: { merchantId, taskId, at: now() } }], SCHEDULE))

/** How many attempts go to this profile at the same time, and in a second. */
const paceOf = (parts: Parts, merchantId: string, profileId: string): { readonly countMax: number; readonly perSecond: number } => {
  const endpoint = currentEndpoint(parts, merchantId, profileId)
  return {
    countMax: Math.min(endpoint?.maxConcurrencyCount ?? RECOVERY_CONCURRENCY, RECOVERY_CONCURRENCY),
    perSecond: endpoint?.maxPerSecondCount ?? RECOVERY_PER_SECOND_DEFAULT,
  }
}

/** Attempts all that is wanted, a few at a time and not too fast, and records the end. */
const carryOut = async (parts: Parts, recovery: Task, signal: AbortSignal, timers: Timers): Promise<void> => {
  const { merchantId } = recovery
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const chain of wantedChains(parts, recovery)) {
    const { countMax, perSecond } = paceOf(parts, merchantId, chain.profileId)
    while (underWay.size >= countMax) await Promise.race(underWay)
    if (signal.aborted || failures.length > 0 || (await isOver(parts, recovery))) break
    const task = attemptOne(parts, recovery, chain.chainId)
      // It may fail while nobody waits for it.
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(task))
    underWay.add(task)
    await pause(timers, 1_000 / perSecond, signal)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
  if (!signal.aborted) await finish(parts, recovery)
}

const readRecovery: (parts: Parts, place: Parameters<Recoveries['readRecovery']>[0]) => ReturnType<Recoveries['readRecovery']> = async (
  parts,
  { merchantId, taskId },
) => {
  await Promise.all([parts.states.readIndex(merchantId), parts.journal.readIndex(merchantId)])
  const recovery = await parts.journal.view(webhookRecoveries, [merchantId, taskId])
  const isKnown = recovery.status !== 'absent' && recovery.startedAt >= historySinceOf(parts, merchantId)
  return isKnown ? { ok: true, value: recovery } : refused('RECOVERY_NOT_FOUND')
}

/** What all recoveries of a process wait with. */
interface Waits {
  readonly signal: AbortSignal
  readonly timers: Timers
}

/** Tries again when the log or the store is away: what was attempted already is passed by. */
const carryOutAtLast = async (parts: Parts, recovery: Task, { signal, timers }: Waits, tellTurn?: TellTurn): Promise<void> => {
  let isOwnTurn: boolean | undefined
  while (!signal.aborted) {
    try {
      isOwnTurn ??= await hasTurn(parts, recovery)
      if (isOwnTurn) {
        tellTurn?.(true)
        await carryOut(parts, recovery, signal, timers)
      } else {
        await finish(parts, recovery)
        // Not before its end is recorded: else a later process would go on with what was refused.
        tellTurn?.(false)
      }
      return
    } catch (error) {
      if (!isOperatingError(error)) throw error
      parts.report.failed(`the recovery ${recovery.taskId} waits`, error)
      await pause(timers, RECOVERY_RETRY_MS, signal)
    }
  }
}

/**
 * Gives `take` what was not moved on with between two looks. Its process may only be slow: two may carry it out, because a chain has one
 * attempt for a recovery, whoever makes it.
 */
const watchOver = async (parts: Parts, { signal, timers }: Waits, take: (recovery: Task) => void): Promise<void> => {
  const standing = createStandstills<Recovery>()
  for (;;) {
    await pause(timers, RECOVERY_LOOK_MS, signal)
    if (signal.aborted) return
    try {
      for (const recovery of standing(await runningRecoveries(parts))) take(recovery)
    } catch (error) {
      if (!isOperatingError(error)) throw error
      parts.report.failed('recoveries that others have begun are looked at again later', error)
    }
  }
}

/** {@link Recoveries} over one set of parts; one at a time for a merchant. */
export const createRecoveries = (parts: Parts, timers: Timers = systemTimers): Recoveries => {
  const ending = new AbortController()
  const waits = { signal: ending.signal, timers }
  const running = new Map<string, Promise<void>>()
  let watching: Promise<void> = Promise.resolve()
  const beginning = new Set<string>()
  const awaited = createAwaitedTurns()

  const run = (recovery: Task, tellTurn?: TellTurn): void => {
    const { taskId } = recovery
    if (running.has(taskId) || ending.signal.aborted) return
    const task = carryOutAtLast(parts, recovery, waits, tellTurn).finally(() => running.delete(taskId))
    running.set(taskId, task)
  }

  const begin = async (wish: RecoveryWish): Promise<Answer<Recovery>> => {
    const { origin, ...asked } = wish
    // What is accepted from now on has an attempt of its own, and is not counted.
    const wanted = { ...asked, untilAt: Math.min(asked.untilAt, parts.now()) }
    const { merchantId } = wanted
    await parts.states.readIndex(merchantId)
    if (await hasRunning(parts, merchantId)) return refused('RECOVERY_RUNNING')
    const matched = await countMatched(parts, wanted)
    if (!matched.ok) return matched
    const taskId = `rec_${parts.newId().replaceAll('-', '')}`
    const turn = new Promise<boolean>((tell) => awaited.add(taskId, tell))
    const position = await parts.journal.record(
      [{ type: 'RecoveryStarted', data: { ...wanted, taskId, matchedCount: matched.value, at: parts.now() } }],
      origin,
    )
    const value = await parts.journal.view(webhookRecoveries, [merchantId, taskId])
    return (await within(timers, turn, VIEW_MAX_MS, storeAway)) ? { ok: true, value, position } : refused('RECOVERY_RUNNING')
  }

  return {
    notice: (event) => {
      if (event.type !== 'RecoveryStarted') return
      const tellTurn = awaited.take(event.data.taskId)
      if (tellTurn !== undefined) run(event.data, tellTurn)
    },
    recover: async (wish) => {
      if (beginning.has(wish.merchantId)) return refused('RECOVERY_RUNNING')
      beginning.add(wish.merchantId)
      try {
        return await begin(wish)
      } finally {
        beginning.delete(wish.merchantId)
      }
    },
    readRecovery: (place) => readRecovery(parts, place),
    start: async () => {
      for (const recovery of await runningRecoveries(parts)) run(recovery)
      watching = watchOver(parts, waits, run)
    },
    stop: async () => {
      ending.abort()
      await drained(timers, [...running.values(), watching])
    },
  }
}
