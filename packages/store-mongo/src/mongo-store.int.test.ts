import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AssertionFailed, type DocumentWrite, type ReadStore } from '@switchyard/kernel'
import { dropMongoDatabase, newMongoDatabase } from '../../../test/support/mongo-database.ts'
import { describeWithServers } from '../../../test/support/real-servers.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/support/tcp-proxy.ts'
import { CALL_COUNT_MAX, DOCUMENT_BYTES_MAX } from './limits.ts'
import { createMongoStore } from './mongo-store.ts'

const collections = [
  { name: 'a-v1', indexes: [{ name: 'by-rank', fields: ['rank'] }] },
  { name: 'b-v1', indexes: [] },
]
const write = (collection: string, name: string, offset: number, body: object | null = { offset }): DocumentWrite => ({
  collection,
  key: [name],
  position: { partition: 0, offset },
  body,
})

const closedPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('a store without its server', () => {
  const SECRET = 'p4ss-w0rd'
  let store: ReadStore
  beforeAll(async () => {
    store = createMongoStore({ uri: `mongodb://root:${SECRET}@127.0.0.1:${await closedPort()}/x`, collections, role: 'writer' })
  })
  afterAll(async () => await store.close())

  test('says so within seconds, that trying again can help, and no secret', async () => {
    const startedAt = performance.now()
    const failed = await Promise.allSettled([
      store.get('a-v1', ['k']),
      store.range({ collection: 'a-v1', prefix: [], order: 'ascending', limit: 1 }),
      store.write([write('a-v1', 'k', 1)]),
    ])
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    for (const outcome of failed) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
      expect(reason).toMatchObject({ name: 'OperatingError', code: 'STORE_UNAVAILABLE', retryable: true })
      expect(inspect(reason, { depth: 20, showHidden: true })).not.toContain(SECRET)
      expect(inspect(reason)).toContain('MongoServerSelectionError')
    }
  })

  test('refuses calls when too many wait already', async () => {
    const waiting = Array.from({ length: CALL_COUNT_MAX }, async () => await store.get('a-v1', ['k']))
    await expect(store.get('a-v1', ['k'])).rejects.toThrow(`${CALL_COUNT_MAX} calls wait for MongoDB already`)
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true)
  })

  test.each(['mongodb://root:p4ss-w0rd@', 'http://root:p4ss-w0rd@host/', 'mongodb://root:p4ss-w0rd@host/?unknown=1', 'p4ss-w0rd'])(
    'is not made for what is no address: %s',
    (uri) => {
      let caught: unknown
      try {
        createMongoStore({ uri, collections, role: 'reader' })
      } catch (error) {
        caught = error
      }
      expect(caught).toMatchObject({
        code: 'SETTING_INVALID',
        retryable: false,
        message: expect.stringContaining('SWITCHYARD_MONGODB_URI'),
      })
      expect(inspect(caught, { depth: 20, showHidden: true })).not.toContain(SECRET)
    },
  )

  test('refuses a document that MongoDB could not hold, and says which', async () => {
    const large = write('a-v1', 'large', 1, { text: 'x'.repeat(DOCUMENT_BYTES_MAX) })
    const refused = store.write([write('a-v1', 'small', 1), large])
    await expect(refused).rejects.toThrow(AssertionFailed)
    await expect(refused).rejects.toThrow(/a document of \d+ bytes in a-v1, at most 16711680 are possible: \["large"\]/)
  })

  test('refuses lists in two fields of an index, which MongoDB does too', async () => {
    const lists = createMongoStore({
      uri: 'mongodb://127.0.0.1:1/',
      collections: [{ name: 'c-v1', indexes: [{ name: 'by-both', fields: ['x', 'y'] }] }],
      role: 'writer',
    })
    await expect(lists.write([write('c-v1', 'k', 1, { x: [1], y: [2] })])).rejects.toThrow('lists in two fields of an index: c-v1 x, y')
    await lists.close()
  })
})

describeWithServers('a store with a server', () => {
  let uri = ''
  let proxy: TcpProxy
  let store: ReadStore
  beforeAll(async () => {
    uri = newMongoDatabase()
    const { hostname, port } = new URL(uri)
    proxy = await startTcpProxy(hostname, Number(port))
    store = createMongoStore({ uri: uri.replace(`${hostname}:${port}`, `127.0.0.1:${proxy.port}`), collections, role: 'writer' })
  })
  afterAll(async () => {
    await store.close()
    await proxy.close()
    await dropMongoDatabase(uri)
  })

  test('goes on when a server that was away is back', async () => {
    await store.write([write('a-v1', 'kept', 1)])
    proxy.takeAway()
    const away = { code: 'STORE_UNAVAILABLE', retryable: true }
    await expect(store.get('a-v1', ['kept'])).rejects.toMatchObject(away)
    await expect(store.write([write('a-v1', 'kept', 2)])).rejects.toMatchObject(away)
    proxy.bringBack()
    expect(await store.write([write('a-v1', 'kept', 3)])).toEqual(['applied'])
    expect((await store.get('a-v1', ['kept']))?.body).toEqual({ offset: 3 })
  })

  test.each(['reader', 'writer'] as const)('a %s that met no server at its first call goes on when it is there', async (role) => {
    const { hostname, port } = new URL(uri)
    const late = createMongoStore({ uri: uri.replace(`${hostname}:${port}`, `127.0.0.1:${proxy.port}`), collections, role })
    proxy.takeAway()
    const away = { code: 'STORE_UNAVAILABLE', retryable: true }
    for (let call = 0; call < 2; call++) await expect(late.get('a-v1', ['kept'])).rejects.toMatchObject(away)
    proxy.bringBack()
    expect(await late.get('a-v1', ['unknown'])).toBeUndefined()
    await late.close()
  })

  test('writes once more when the answer is lost, and the document is there once', async () => {
    const lost = proxy.loseAnswerTo('answer-is-lost')
    const [[outcome]] = await Promise.all([store.write([write('b-v1', 'answer-is-lost', 1)]), lost])
    expect(['applied', 'older']).toContain(outcome)
    expect((await store.get('b-v1', ['answer-is-lost']))?.body).toEqual({ offset: 1 })
  })

  test('gives the outcomes of many writes to several collections in their order', async () => {
    const names = Array.from({ length: 2_500 }, (_, index) => `many-${index}`)
    await store.write(names.filter((_, index) => index % 3 === 0).map((name) => write('a-v1', name, 5)))
    const outcomes = await store.write(names.flatMap((name) => [write('a-v1', name, 4), write('b-v1', name, 1)]))
    expect(outcomes).toEqual(names.flatMap((_, index) => [index % 3 === 0 ? 'older' : 'applied', 'applied']))
  })

  test('leaves out of an index what is no text and no number, as a list of them is', async () => {
    const bodies = [{ rank: [1, 2] }, { rank: true }, { rank: { n: 1 } }, { rank: 'x' }, { rank: 1 }, {}]
    await store.write(bodies.map((body, index) => write('a-v1', `rank-${index}`, 1, body)))
    const query = { collection: 'a-v1', index: 'by-rank', order: 'ascending', limit: 10 } as const
    const keysOf = async (bounds: object, prefix: readonly (string | number)[] = []) =>
      (await store.range({ ...query, prefix, ...bounds })).map(({ key }) => key[0])
    expect(await keysOf({})).toEqual(['rank-4', 'rank-3'])
    expect(await keysOf({ from: 0 })).toEqual(['rank-4', 'rank-3'])
    expect(await keysOf({ from: 2 })).toEqual(['rank-3'])
    expect(await keysOf({ to: 'x' })).toEqual(['rank-4', 'rank-3'])
    expect(await keysOf({ to: 1 })).toEqual(['rank-4'])
    expect(await keysOf({}, [1])).toEqual(['rank-4'])
  })

  test('keeps documents with names that MongoDB gives a meaning', async () => {
    const body = { $set: { 'a.b': 1, $ref: 'x', $id: 2 }, '': [{ $gt: '' }], '100%': null, list: [] }
    await store.write([write('b-v1', 'names', 1, body)])
    expect((await store.get('b-v1', ['names']))?.body).toEqual(body)
  })

  test('as a reader only reads', async () => {
    const reader = createMongoStore({ uri, collections, role: 'reader' })
    await store.write([write('b-v1', 'read', 1)])
    expect((await reader.get('b-v1', ['read']))?.body).toEqual({ offset: 1 })
    await expect(reader.write([write('b-v1', 'read', 2)])).rejects.toThrow('only reads')
    await reader.close()
  })
})
