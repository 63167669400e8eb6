import { describe, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { type Caller, createCaller, type Methods, serveCalls } from './message-calls.ts'

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
})
