import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { AwaitPosition, RouteSpec } from '@switchyard/http'
import { OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createAwaitPosition } from './await-position.ts'

const inMemory: RouteSpec = {
  method: 'GET',
  path: '/',
  access: 'protected',
  permission: 'routing:read',
  tenant: false,
  body: 'none',
  hot: false,
}
const readModels: RouteSpec = { ...inMemory, servedBy: 'read-models' }

const waiting = (): { readonly await: AwaitPosition; readonly asked: readonly string[] } => {
  const asked: string[] = []
  const reader = (name: string) => async (): Promise<void> => void asked.push(name)
  const readers = {
    config: reader('config'),
    payments: reader('payments'),
    projectedPayments: reader('documents'),
    projectedConfig: reader('journal'),
  }
  return { await: createAwaitPosition({ log: createMemoryLog({ partitionCount: 2 }), ...readers }), asked }
}

describe('waiting for a position', () => {
  test.each<[string, RouteSpec, ...string[]]>([
    ['config-1-7', inMemory, 'config'],
    ['config-1-7', readModels, 'config', 'journal'],
    ['payments-1-7', inMemory, 'payments'],
    ['payments-1-7', readModels, 'documents'],
  ])('%s waits for what serves the route', async (token, spec, ...readers) => {
    const { await: awaitPosition, asked } = waiting()
    expect(await awaitPosition(token, spec)).toBe('reached')
    expect(asked).toEqual(readers)
  })

  test.each(['config-2-7', 'payments-999999-1', 'prices-0-1', ''])('%p names nothing that could ever come: nobody waits', async (token) => {
    const { await: awaitPosition, asked } = waiting()
    expect(await awaitPosition(token, inMemory)).toBe('malformed')
    expect(asked).toEqual([])
  })

  test('a position first named while the log is away is answered from memory', async () => {
    const log = createMemoryLog({ partitionCount: 2 })
    let isAway = false
    const endPositions: typeof log.endPositions = async (topic) => {
      if (isAway) throw new OperatingError('LOG_UNAVAILABLE', 'no broker', { retryable: true })
      return await log.endPositions(topic)
    }
    const awaitPosition = createAwaitPosition({ log: { endPositions }, config: async () => {}, payments: async () => {} })
    await setImmediate()
    isAway = true
    expect(await awaitPosition('payments-1-7', inMemory)).toBe('reached')
    await expect(awaitPosition('payments-2-7', inMemory)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
  })

  test('a position that does not come in time is not reached; other failures go up', async () => {
    const failing = (code: 'POSITION_NOT_REACHED' | 'QUERY_UNAVAILABLE') => async (): Promise<void> => {
      throw new OperatingError(code, 'no', { retryable: true })
    }
    const late = failing('POSITION_NOT_REACHED')
    const readers = { config: late, payments: late, projectedPayments: failing('QUERY_UNAVAILABLE') }
    const awaitPosition = createAwaitPosition({ log: createMemoryLog(), ...readers })
    expect(await awaitPosition('payments-0-1', inMemory)).toBe('not-reached')
    await expect(awaitPosition('payments-0-1', readModels)).rejects.toMatchObject({ code: 'QUERY_UNAVAILABLE' })
  })
})
