import { isOperatingError, OperatingError, type OperatingErrorCode } from '@switchyard/kernel'

/** Most calls that may wait for the worker at one time. */
const CALLS_IN_FLIGHT_MAX = 1_000
/** Longest time that a caller waits for the worker's answer, in milliseconds. */
const CALL_TIMEOUT_MS = 10_000

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
}

type AnswerMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: never }
  | {
      readonly kind: 'failure'
      readonly id: number
      readonly code: OperatingErrorCode
      readonly message: string
      readonly retryable: boolean
    }

const isMessage = (message: unknown): message is CallMessage | AnswerMessage =>
  typeof message === 'object' && message !== null && 'kind' in message && 'id' in message

/** Answers the calls that arrive at this end. */
export const serveCalls = (end: MessageEnd, methods: Methods): void => {
  const answer = async (call: CallMessage): Promise<unknown> => {
    const method = methods[call.method]
    try {
      if (method === undefined)
        throw new OperatingError('QUERY_UNAVAILABLE', `the worker has no method ${call.method}`, { retryable: false })
      return { kind: 'answer', id: call.id, value: await method(call.argument) }
    } catch (error) {
      const known = isOperatingError(error)
      const message = error instanceof Error ? error.message : String(error)
      return { kind: 'failure', id: call.id, code: known ? error.code : 'QUERY_UNAVAILABLE', message, retryable: known && error.retryable }
    }
  }
  end.receive((message) => {
    if (isMessage(message) && message.kind === 'call') void answer(message).then(end.send)
  })
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Calls methods of the thread at the other end. */
export interface Caller<Of extends Methods> {
  /** Resolves with the method's answer; rejects with its error, or `QUERY_UNAVAILABLE` when it takes too long or is gone. */
  readonly call: <Name extends keyof Of & string>(method: Name, argument: ArgumentOf<Of, Name>) => Promise<AnswerOf<Of, Name>>
  /** Fails everything that waits, and every later call. */
  readonly fail: (reason: string) => void
}

/** The calling side of {@link serveCalls}. */
export const createCaller = <Of extends Methods>(end: MessageEnd): Caller<Of> => {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let failed: string | undefined

  const settle = (id: number): Waiting | undefined => {
    const entry = waiting.get(id)
    waiting.delete(id)
    clearTimeout(entry?.timer)
    return entry
  }
  end.receive((message) => {
    if (!isMessage(message) || message.kind === 'call') return
    const entry = settle(message.id)
    if (message.kind === 'answer') entry?.resolve(message.value)
    else entry?.reject(new OperatingError(message.code, message.message, { retryable: message.retryable }))
  })
  const unavailable = (reason: string): OperatingError => new OperatingError('QUERY_UNAVAILABLE', reason, { retryable: true })

  return {
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        if (failed !== undefined) return reject(unavailable(failed))
        if (waiting.size >= CALLS_IN_FLIGHT_MAX) return reject(unavailable(`${CALLS_IN_FLIGHT_MAX} reads are waiting already`))
        const id = ++lastId
        const timer = setTimeout(() => settle(id)?.reject(unavailable(`${method} took longer than ${CALL_TIMEOUT_MS} ms`)), CALL_TIMEOUT_MS)
        waiting.set(id, { resolve, reject, timer })
        end.send({ kind: 'call', id, method, argument })
      }),
    fail: (reason) => {
      failed = reason
      for (const id of waiting.keys()) settle(id)?.reject(unavailable(reason))
    },
  }
}
