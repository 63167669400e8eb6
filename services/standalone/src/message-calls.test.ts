import { describe, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { createManualTimers, turn } from '@switchyard/testing'
import { CALL_TIMEOUT_MS, CALLS_IN_FLIGHT_MAX, type Caller, createCaller, type Methods, serveCalls } from './message-calls.ts'

const connected = <Of extends Methods>(methods: Of): Caller<Of> => {
  const listeners: { caller?: (message: unknown) => void; server?: (message: unknown) => void } = {}
  serveCalls(
    { send: (message) => listeners.caller?.(structuredClone(message)), receive: (listener) => (listeners.server = listener) },
    methods,
  )
  return createCaller<Of>({
    send: (message) => listeners.server?.(structuredClone(message)),
    receive: (listener) => (listeners.caller = listener),
  })
}

describe('calls between threads', () => {
  test('an answer comes back to its caller', async () => {
    const caller = connected({ double: (n: number) => n * 2, half: async (n: number) => n / 2 })
    await expect(Promise.all([caller.call('double', 4), caller.call('half', 4)])).resolves.toEqual([8, 2])
  })

  test('an operating error keeps its code', async () => {
    const caller = connected({
      read: () => {
        throw new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })
      },
    })
    await expect(caller.call('read', undefined)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message: 'away', retryable: true })
  })

  test('an error keeps what it was caused by: of a full disk, the log told no more than that events could not be written', async () => {
    const cause = new Error('the write failed', { cause: new Error('the disk is full') })
    const caller = connected({
      append: () => {
        throw new OperatingError('LOG_UNAVAILABLE', 'not written', { retryable: true, cause })
      },
    })
    const failed = caller.call('append', undefined)
    await expect(failed).rejects.toMatchObject({ message: 'not written', cause: { message: 'the write failed: the disk is full' } })
  })

  test('an unknown method is refused by name', async () => {
    const caller: Caller<Methods> = connected({})
    await expect(caller.call('fly', null as never)).rejects.toThrow('fly')
  })

  test('when the thread is gone, waiting and later calls fail', async () => {
    const caller = connected({ never: () => new Promise(() => {}) })
    const waiting = caller.call('never', undefined)
    caller.fail('the worker stopped')
    await expect(waiting).rejects.toMatchObject({ code: 'QUERY_UNAVAILABLE' })
    await expect(caller.call('never', undefined)).rejects.toThrow('the worker stopped')
  })

  test('a worker that hangs gets no more calls than it can owe answers: calls that timed out keep their places', async () => {
    const timers = createManualTimers()
    const sent: unknown[] = []
    let answer = (_message: unknown): void => {}
    const end = { send: (message: unknown) => void sent.push(message), receive: (listener: typeof answer) => void (answer = listener) }
    const caller = createCaller<{ readonly read: (n: null) => string }>(end, { timers, now: timers.now })
    const calls = Array.from({ length: CALLS_IN_FLIGHT_MAX }, () => caller.call('read', null))
    timers.advance(CALL_TIMEOUT_MS)
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected')
    await expect(caller.call('read', null)).rejects.toThrow('waiting already')
    expect(sent).toHaveLength(CALLS_IN_FLIGHT_MAX)
    answer({ kind: 'answer', id: 1, value: 'late' })
    const next = caller.call('read', null)
    answer({ kind: 'answer', id: CALLS_IN_FLIGHT_MAX + 1, value: 'in time' })
    expect(await next).toBe('in time')
  })

  test('a call that comes up after its caller gave up is not run', async () => {
    const timers = createManualTimers()
    let runCount = 0
    const answers: unknown[] = []
    let arrive = (_message: unknown): void => {}
    const end = { send: (message: unknown) => void answers.push(message), receive: (listener: typeof arrive) => void (arrive = listener) }
    serveCalls(end, { read: () => ++runCount }, timers.now)
    arrive({ kind: 'call', id: 1, method: 'read', argument: null, deadlineAt: 5 })
    await turn()
    timers.advance(5)
    arrive({ kind: 'call', id: 2, method: 'read', argument: null, deadlineAt: 5 })
    await turn()
    expect(runCount).toBe(1)
    expect(answers).toEqual([
      { kind: 'answer', id: 1, value: 1 },
      expect.objectContaining({ kind: 'failure', id: 2, code: 'QUERY_UNAVAILABLE', retryable: true }),
    ])
  })
})
