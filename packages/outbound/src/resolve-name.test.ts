import { expect, test } from '@jest/globals'
import { CONNECT_ATTEMPT_TIMEOUT_MS, CONNECT_TIMEOUT_MS, DNS_OTHER_KIND_MS, DNS_TIMEOUT_MS } from './limits.ts'
import { createNameResolver } from './resolve-name.ts'

const V4 = ['192.0.2.1', '192.0.2.2']
const V6 = ['2001:db8::1']
const silent = new Promise<string[]>(() => {})
const servfail = Object.assign(new Error('queryAaaa ESERVFAIL'), { code: 'ESERVFAIL' })

/** What a name has when its questions are answered like this. */
const resolved = (v4: Promise<string[]>, v6: Promise<string[]>, lateMs = { v4: 1, v6: 1 }): Promise<readonly string[]> =>
  createNameResolver({ resolve4: () => v4, resolve6: () => v6 }, lateMs)('receiver.test')

test('a name whose server says nothing about one kind of address has those of the other: the connection timed out while it was asked', async () => {
  expect(await resolved(Promise.resolve(V4), silent)).toEqual(V4)
  expect(await resolved(silent, Promise.resolve(V6))).toEqual(V6)
})

test('both kinds count, the older first, whichever came first', async () => {
  const soon = new Promise<string[]>((resolve) => queueMicrotask(() => resolve(V4)))
  expect(await resolved(soon, Promise.resolve(V6))).toEqual([...V4, ...V6])
  expect(await resolved(Promise.resolve(V4), Promise.reject(servfail))).toEqual(V4)
})

test('an IPv4 address that is told when it is asked for again was given up for one of IPv6, to which many machines have no way', async () => {
  const again = new Promise<string[]>((resolve) => setTimeout(() => resolve(V4), 5))
  expect(await resolved(again, Promise.resolve(V6), { v4: 10_000, v6: 1 })).toEqual([...V4, ...V6])
  expect(DNS_OTHER_KIND_MS.v4).toBeGreaterThan(DNS_TIMEOUT_MS)
  expect(DNS_OTHER_KIND_MS.v4 + CONNECT_ATTEMPT_TIMEOUT_MS).toBeLessThan(CONNECT_TIMEOUT_MS)
})

test('a failure of one kind does not end the question for the other', async () => {
  const later = new Promise<string[]>((resolve) => setTimeout(() => resolve(V6), 5))
  expect(await resolved(Promise.reject(servfail), later)).toEqual(V6)
  await expect(resolved(Promise.reject(servfail), Promise.reject(servfail))).rejects.toBe(servfail)
})

test('localhost, and names under it, are asked of nobody', async () => {
  const resolve = createNameResolver({ resolve4: () => silent, resolve6: () => silent })
  expect(await Promise.all(['localhost', 'a.localhost'].map((name) => resolve(name)))).toEqual([
    ['127.0.0.1', '::1'],
    ['127.0.0.1', '::1'],
  ])
})
