import { describe, expect, test } from '@jest/globals'
import type { Connection } from './connection.ts'
import { createIdleConnections } from './idle-connections.ts'
import { IDLE_COUNT_MAX, IDLE_PER_ENDPOINT_MAX } from './limits.ts'

interface Watched extends Connection {
  readonly isClosed: () => boolean
}

const connection = (origin = 'https://a.test'): Watched => {
  let isClosed = false
  return {
    origin,
    post: () => Promise.reject(new Error('not asked here')),
    wasStale: () => false,
    isOpen: () => !isClosed,
    close: () => {
      isClosed = true
    },
    isClosed: () => isClosed,
  }
}

describe('connections that wait', () => {
  test('the one that served last serves first, each for its own endpoint', () => {
    const idle = createIdleConnections()
    const [first, second] = [connection(), connection()]
    idle.keep('e1', first)
    idle.keep('e1', second)
    expect(idle.take('e2', 'https://a.test')).toBeUndefined()
    expect(idle.take('e1', 'https://a.test')).toBe(second)
    expect(idle.take('e1', 'https://a.test')).toBe(first)
    expect(idle.take('e1', 'https://a.test')).toBeUndefined()
    expect(idle.count()).toBe(0)
  })

  test('when the endpoint moved, those to the old place end', () => {
    const idle = createIdleConnections()
    const [first, second] = [connection(), connection()]
    idle.keep('e1', first)
    idle.keep('e1', second)
    expect(idle.take('e1', 'https://b.test')).toBeUndefined()
    expect([first.isClosed(), second.isClosed(), idle.count()]).toEqual([true, true, 0])
  })

  test('one that is no use any more is forgotten', () => {
    const idle = createIdleConnections()
    const only = connection()
    idle.keep('e1', only)
    idle.drop('e1', only)
    idle.drop('e1', only)
    expect(only.isClosed()).toBe(true)
    expect(idle.count()).toBe(0)
  })

  test('of one endpoint only so many wait, the newest', () => {
    const idle = createIdleConnections()
    const all = Array.from({ length: IDLE_PER_ENDPOINT_MAX + 2 }, () => connection())
    for (const one of all) idle.keep('e1', one)
    expect(idle.count()).toBe(IDLE_PER_ENDPOINT_MAX)
    expect(all.slice(0, 3).map((one) => one.isClosed())).toEqual([true, true, false])
  })

  test('of all endpoints only so many wait: those of the endpoint that was used longest ago end first', () => {
    const idle = createIdleConnections()
    const [old, renewed] = [connection(), connection()]
    idle.keep('old', old)
    idle.keep('renewed', renewed)
    idle.keep('renewed', connection())
    for (let index = 0; index < IDLE_COUNT_MAX - 2; index++) idle.keep(`e${index}`, connection())
    expect(idle.count()).toBe(IDLE_COUNT_MAX)
    expect([old.isClosed(), renewed.isClosed()]).toEqual([true, false])
  })

  test('at the end all end', () => {
    const idle = createIdleConnections()
    const all = [connection(), connection(), connection()]
    all.forEach((one, index) => idle.keep(`e${index % 2}`, one))
    idle.closeAll()
    expect(all.every((one) => one.isClosed())).toBe(true)
    expect(idle.count()).toBe(0)
  })
})
