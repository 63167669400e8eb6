import { isOperatingError, messageWithCauses, type Now, OperatingError, type OperatingErrorCode } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'

/** Most calls that the worker may have to deal with at one time, also those that nobody waits for any more. */
export const CALLS_IN_FLIGHT_MAX = 1_000
/** Longest time that a caller waits for the worker's answer, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000

/** One end of a message channel between two threads. */
export interface MessageEnd {
  readonly send: (message: unknown) => void
  readonly receive: (listener: (message: unknown) => void) => void
}

/** Methods of the other thread, by name. Argument and answer are plain data. */
export type Methods = Readonly<Record<string, (argument: never) => unknown>>

type ArgumentOf<Of extends Methods, Name extends keyof Of> = Parameters<Of[Name]>[0]
type AnswerOf<Of extends Methods, Name extends keyof Of> = Awaited<ReturnType<Of[Name]>>

/** `never`: both ends are compiled against the same methods, so what arrives is what the receiver's method takes or gave. */
interface CallMessage {
  readonly kind: 'call'
  readonly id: number
  readonly method: string
  readonly argument: never
  /** When the caller stops waiting, epoch milliseconds; both threads share that clock. */
  readonly deadlineAt: number
}

type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: never }
  | {
      readonly kind: 'failure'
      readonly id: number
      readonly code: OperatingErrorCode
      readonly message: string
      readonly retryable: boolean
      /** What it was caused by, in words. */
      readonly cause: string | undefined
    }

const isMessage = (message: unknown): message is CallMessage | AnswerMessage =>
  typeof message === 'object' && message !== null && 'kind' in message && 'id' in message

const failureOf = (id: number, error: unknown): AnswerMessage => {
  const [code, retryable] = isOperatingError(error) ? [error.code, error.retryable] : (['QUERY_UNAVAILABLE', false] as const)
  if (!(error instanceof Error)) return { kind: 'failure', id, code, message: String(error), retryable, cause: undefined }
  const cause = error.cause instanceof Error ? messageWithCauses(error.cause) : undefined
  return { kind: 'failure', id, code, message: error.message, retryable, cause }
}

/** Answers the calls that arrive at this end; a call that comes up too late is not run. */
export const serveCalls = (end: MessageEnd, methods: Methods, now: Now = Date.now): void => {
  const answer = async (call: CallMessage): Promise<unknown> => {
    const method = methods[call.method]
    try {
      if (now() >= call.deadlineAt) throw new OperatingError('QUERY_UNAVAILABLE', `${call.method} came up too late`, { retryable: true })
      if (method === undefined)
        throw new OperatingError('QUERY_UNAVAILABLE', `the worker has no method ${call.method}`, { retryable: false })
      return { kind: 'answer', id: call.id, value: await method(call.argument) }
    } catch (error) {
      return failureOf(call.id, error)
    }
  }
  end.receive((message) => {
    if (isMessage(message) && message.kind === 'call') void answer(message).then(end.send)
  })
}

/** A call that the worker has not answered yet; settling it after it timed out has no effect. */
interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly cancelTimer: () => void
}

/** Calls methods of the thread at the other end. */
export interface Caller<Of extends Methods> {
  /** Resolves with the method's answer; rejects with its error, or `QUERY_UNAVAILABLE` when it takes too long or is gone. */
  readonly call: <Name extends keyof Of & string>(method: Name, argument: ArgumentOf<Of, Name>) => Promise<AnswerOf<Of, Name>>
  /** Fails everything that waits, and every later call. */
  readonly fail: (reason: string) => void
}

/** Time as the caller sees it. */
export interface CallerTime {
  readonly timers: Timers
  readonly now: Now
  /** Longest time that a call waits for its answer, milliseconds; default {@link CALL_TIMEOUT_MS}. */
  readonly timeoutMs?: number
}

const SYSTEM_TIME: CallerTime = { timers: systemTimers, now: Date.now }

/** The calling side of {@link serveCalls}. A call that timed out keeps its place until the worker has answered it. */
export const createCaller = <Of extends Methods>(
  end: MessageEnd,
  { timers, now, timeoutMs = CALL_TIMEOUT_MS }: CallerTime = SYSTEM_TIME,
): Caller<Of> => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let failed: string | undefined

  const settle = (id: number): Waiting | undefined => {
    const entry = waiting.get(id)
    waiting.delete(id)
    entry?.cancelTimer()
    return entry
  }
  end.receive((message) => {
    if (!isMessage(message) || message.kind === 'call') return
    const entry = settle(message.id)
    if (message.kind === 'answer') entry?.resolve(message.value)
    else {
      const { code, retryable, cause } = message
      entry?.reject(new OperatingError(code, message.message, { retryable, cause: cause === undefined ? undefined : new Error(cause) }))
    }
  })
  const unavailable = (reason: string): OperatingError => new OperatingError('QUERY_UNAVAILABLE', reason, { retryable: true })

  return {
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        if (failed !== undefined) return reject(unavailable(failed))
        if (waiting.size >= CALLS_IN_FLIGHT_MAX) return reject(unavailable(`${CALLS_IN_FLIGHT_MAX} reads are waiting already`))
        const id = ++lastId
        const giveUp = (): void => reject(unavailable(`${method} took longer than ${timeoutMs} ms`))
        waiting.set(id, { resolve, reject, cancelTimer: timers.after(timeoutMs, giveUp) })
        end.send({ kind: 'call', id, method, argument, deadlineAt: now() + timeoutMs })
      }),
    fail: (reason) => {
      failed = reason
      for (const id of waiting.keys()) settle(id)?.reject(unavailable(reason))
    },
  }
}
