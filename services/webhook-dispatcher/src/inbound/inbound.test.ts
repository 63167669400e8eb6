import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type DeadRecord, type LogRecord, OperatingError } from '@switchyard/kernel'
import { INBOUND_GROUP_COUNT } from '../limits.ts'
import { createWorld, PLACE, type Running, until, type World, wish } from '../sample-dispatcher.fixture.ts'
import { createTakeSubmissions } from './take-submissions.ts'

const BODY = { event_type: 'payment_succeeded', object_id: 'pay_77', content: { amount: 1250 } }

let world: World
let service: Running
let faults: unknown[]
beforeEach(async () => {
  world = await createWorld()
  service = await world.start()
  faults = []
  await service.operations.configureEndpoint({ ...PLACE, wish: wish() })
})
afterEach(async () => {
  await service.end()
})

const record = (
  value: unknown,
  { key = 'm1', offset = 0, idempotencyKey }: { key?: string; offset?: number; idempotencyKey?: string } = {},
) => ({
  key,
  value: value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)),
  headers: { id: '', type: '', ...(idempotencyKey !== undefined && { idempotencyKey }) },
  position: { partition: 3, offset },
})

const take = (records: readonly LogRecord[], submit = service.operations.submit): Promise<readonly DeadRecord[]> =>
  createTakeSubmissions({ submit, onFault: (error) => faults.push(error), signal: new AbortController().signal })(records)

const reasons = async (...records: readonly LogRecord[]): Promise<readonly string[]> =>
  (await take(records)).map(({ reason, message }) => `${reason}: ${message}`)

const sent = (count: number): Promise<readonly string[]> =>
  until(`${count} deliveries`, () =>
    world.endpoint.got.length >= count ? world.endpoint.got.map(({ body }) => Buffer.from(body).toString()) : undefined,
  )

describe('events that come by a topic', () => {
  test('are delivered as those over HTTP, once each', async () => {
    expect(await reasons(record(BODY), record({ ...BODY, object_id: 'pay_78' }, { offset: 1 }))).toEqual([])
    expect(await reasons(record(BODY))).toEqual([])
    const bodies = await sent(2)
    expect(bodies.map((body) => JSON.parse(body).content.type)).toEqual(['payment_details', 'payment_details'])
    expect(world.endpoint.got).toHaveLength(2)
  })

  test('are delivered with the numbers as they were written', async () => {
    const text = JSON.stringify({ ...BODY, content: { id: 'ID' } }).replace('"ID"', '9007199254740993')
    expect(await reasons(record(Buffer.from(text)))).toEqual([])
    const [body = ''] = await sent(1)
    expect(body).toContain('"object":{"id":9007199254740993}')
  })

  test('are one under one idempotency key, and refused when they differ', async () => {
    expect(await reasons(record(BODY, { idempotencyKey: 'k1' }), record(BODY, { idempotencyKey: 'k1', offset: 1 }))).toEqual([])
    const other = record({ ...BODY, object_id: 'pay_79' }, { idempotencyKey: 'k1' })
    expect(await reasons(other)).toEqual(['CONTENT_DIFFERS: another event was submitted under this idempotency-key'])
  })

  test.each<readonly [string, LogRecord, string]>([
    ['too long', record(Buffer.alloc(256 * 1024 + 1, 0x20)), 'RECORD_TOO_LARGE: 262145 bytes, an event has at most 262144'],
    ['not UTF-8', record(Buffer.from([0xff])), 'INVALID_INPUT: the body is not UTF-8'],
    ['empty', record(Buffer.alloc(0)), 'INVALID_INPUT: the body is empty'],
    ['without a key', record(BODY, { key: '' }), 'INVALID_INPUT: the key of the message must be the id of the merchant'],
    ['of an unknown type', record({ ...BODY, event_type: 'x' }), 'INVALID_INPUT: event_type: is not an event type'],
    [
      'of another class',
      record({ ...BODY, event_class: 'refunds' }),
      'INVALID_INPUT: event_class: the class of payment_succeeded is payments',
    ],
    [
      'under a broken key',
      record(BODY, { idempotencyKey: '\u0007' }),
      'INVALID_INPUT: idempotency-key: must be 1 to 128 visible ASCII characters',
    ],
    ['of nobody', record(BODY, { key: 'm_unknown' }), 'MERCHANT_NOT_FOUND: the key of the message names no merchant'],
  ])('%s are set aside with the reason, and hold up nothing', async (_what, bad, reason) => {
    const dead = await take([bad, record(BODY, { offset: 1 })])
    expect(dead.map(({ reason: code, message }) => `${code}: ${message}`)).toEqual([reason])
    expect(dead[0]?.record).toBe(bad)
    await sent(1)
  })

  test('wait for a log that is away', async () => {
    let calls = 0
    const submit: typeof service.operations.submit = async (submission) => {
      calls += 1
      if (calls === 1) throw new OperatingError('LOG_UNAVAILABLE', 'away', { retryable: true })
      return await service.operations.submit(submission)
    }
    expect(await take([record(BODY)], submit)).toEqual([])
    expect(calls).toBe(2)
  })

  test('of a merchant whose key no secret unwraps held up those of all others, and ended the process again and again', async () => {
    const { vault } = world
    const { find } = vault
    await world.append({ type: 'MerchantRegistered', data: { merchantId: 'm2', deciderInput: null, name: null, at: world.now() } })
    Object.assign(vault, {
      find: (...key: Parameters<typeof find>) => (key[0] === 'm2' ? Promise.resolve(Buffer.alloc(100)) : find(...key)),
    })
    const dead = await take([record(BODY, { key: 'm2' }), record(BODY, { offset: 1 })])
    expect(dead.map(({ reason, record: { key } }) => [reason, key])).toEqual([['INTERNAL_ERROR', 'm2']])
    expect(faults).toEqual([expect.objectContaining({ code: 'SETTING_INVALID' })])
    await sent(1)
  })

  test('are kept for the next process when the log is closed', async () => {
    const closed = new OperatingError('LOG_CLOSED', 'closed', { retryable: false })
    await expect(take([record(BODY)], () => Promise.reject(closed))).rejects.toBe(closed)
  })

  test('that are many are left to the next process when this one is to stop: its end waited for the last of them', async () => {
    const ending = new AbortController()
    let calls = 0
    const submit: typeof service.operations.submit = async () => {
      calls += 1
      ending.abort()
      return { ok: true, value: { kind: 'filtered' } }
    }
    const many = Array.from({ length: 250 }, (_, offset) => record(BODY, { offset }))
    const taken = createTakeSubmissions({ submit, onFault: (error) => faults.push(error), signal: ending.signal })(many)
    await expect(taken).rejects.toMatchObject({ name: 'AbortError' })
    expect({ calls, faults }).toEqual({ calls: INBOUND_GROUP_COUNT, faults: [] })
  })

  test('that meet a fault of ours are set aside, and the fault is told', async () => {
    const fault = new Error('a bug')
    const dead = await take([record(BODY)], () => Promise.reject(fault))
    expect(dead.map(({ reason }) => reason)).toEqual(['INTERNAL_ERROR'])
    expect(faults).toEqual([fault])
  })
})
