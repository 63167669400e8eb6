import { request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import { createSampleServer, echo, SAMPLE_KEY, type SampleServer } from './sample-server.fixture.ts'

let server: SampleServer | undefined
afterEach(async () => await server?.close())

const routes = [
  echo({ path: '/cold', access: 'protected' }),
  echo({ path: '/hot', access: 'protected', method: 'POST', body: 'raw-json', hot: true }),
]

/** A server that learns of SAMPLE_KEY only when it asks the log. */
const serverThatLearns = async (refreshCredentials: () => Promise<void>, knownKeys: Set<string>) => {
  server = createSampleServer(routes, { refreshCredentials, knows: (key) => knownKeys.has(key) })
  const { url } = await server.listen(0, '127.0.0.1')
  return async (path: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<number> => {
    const post = path === '/hot' ? { method: 'POST', body: '{}' } : {}
    const response = await fetch(url + path, { ...post, headers: { 'x-api-key': key, ...headers } })
    await response.arrayBuffer()
    return response.status
  }
}

test.each(['/cold', '/hot'])('%s: a key that was issued elsewhere is looked for in the log before it is refused', async (path) => {
  const known = new Set<string>()
  let refreshCount = 0
  const ask = await serverThatLearns(async () => {
    refreshCount += 1
    known.add(SAMPLE_KEY)
  }, known)
  expect(await ask(path, SAMPLE_KEY)).toBe(200)
  expect(await ask(path, SAMPLE_KEY)).toBe(200)
  expect(refreshCount).toBe(1)
  expect(await ask(path, 'nobody-has-it')).toBe(401)
})

test('while the log is away an unknown key is answered 503: it may be valid', async () => {
  const away = new OperatingError('LOG_UNAVAILABLE', 'away', { retryable: true })
  const ask = await serverThatLearns(() => Promise.reject(away), new Set())
  expect(await ask('/cold', SAMPLE_KEY)).toBe(503)
})

test('a key that was revoked up to the position waited for is refused', async () => {
  const known = new Set([SAMPLE_KEY])
  const ask = await serverThatLearns(async () => {}, known)
  const answer = ask('/cold', SAMPLE_KEY, { 'x-min-log-position': 'config-0-2' })
  known.clear()
  expect(await answer).toBe(401)
})

test.each(['/cold-body', '/hot'])('%s: a session that ended while its request held the body back is refused', async (path) => {
  const cold = echo({ path: '/cold-body', access: 'protected', method: 'POST', body: 'json' })
  let isOver = false
  let askedCount = 0
  const isRunning = (): boolean => {
    askedCount += 1
    return !isOver
  }
  server = createSampleServer([...routes, cold], { isRunning })
  const { url } = await server.listen(0, '127.0.0.1')
  const statusOf = async (whileHeldBack: () => void): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${server?.bearer}`, 'content-type': 'application/json', 'content-length': 2 }
    const sent = request(url + path, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve) =>
      sent.once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }),
    )
    const before = askedCount
    sent.flushHeaders()
    while (askedCount === before) await nextTurn()
    whileHeldBack()
    sent.end('{}')
    return await status
  }
  expect(await statusOf(() => {})).toBe(200)
  expect(await statusOf(() => (isOver = true))).toBe(401)
})
