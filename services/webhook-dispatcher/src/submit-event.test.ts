import { describe, expect, test } from '@jest/globals'
import { OperatingError } from '@switchyard/kernel'
import type { EventFilter, Submission } from './operations.ts'
import { parseEventList } from './routes/event-list-request.ts'
import { useDispatcher, valueOf } from './running-dispatcher.fixture.ts'
import { submission, submitted, until } from './sample-dispatcher.fixture.ts'

const DAY_MS = 86_400_000

const { world, service, configure, accepted, sent, sentIds, retry } = useDispatcher()

const filter = (change: Partial<EventFilter> = {}): EventFilter => ({
  merchantId: 'm1',
  profileId: null,
  objectId: null,
  eventId: null,
  types: null,
  isDelivered: null,
  createdAfter: 0,
  createdBefore: world().now(),
  limit: 100,
  offset: 0,
  ...change,
})
const listed = async (change: Partial<EventFilter> = {}): Promise<readonly string[]> => {
  const { rows, totalCount } = valueOf(await service().operations.list(filter(change)))
  expect(rows.length).toBeLessThanOrEqual(totalCount)
  return rows.map(({ eventId }) => eventId)
}

describe('the same event again', () => {
  test('is recognised for seven days, then it is another one', async () => {
    const same: Partial<Submission> = { objectId: 'pay_same', content: '{"a":1}' }
    const first = await accepted(same)
    world().pass(7 * DAY_MS - 5_000)
    expect(await accepted(same)).toBe(first)
    world().pass(10_000)
    expect(await accepted(same)).not.toBe(first)
  })

  test('that comes when the seven days are over does not take the place of the first one, which still waits', async () => {
    const delays = { maxConcurrencyCount: 1, retryDelaysSeconds: Array.from({ length: 14 }, () => DAY_MS / 1_000) }
    await configure(delays)
    world().endpoint.answers('hang', 200)
    await accepted()
    await sent(1)
    const same: Partial<Submission> = { objectId: 'pay_late', content: '{"a":1}' }
    const first = await accepted(same)
    await configure({ ...delays, isEnabled: false })
    world().endpoint.release(200)
    world().pass(7 * DAY_MS)
    const second = await accepted(same)
    await configure(delays)
    await sent(2)
    expect(sentIds()[1]).toBe(first)
    expect(await listed({ objectId: 'pay_late' })).toEqual([second, first])
  })

  test('is recognised whatever the order of its members; lists and objects are never the same', async () => {
    const shaped = (details: unknown): Promise<string> => accepted({ objectId: 'pay_shape', content: JSON.stringify({ details }) })
    const contents = [{}, [], { a: 1 }, [['a', 1]], [{}], [[]], { list: [['a', 1]] }, { a: 1, b: [] }]
    const ids: string[] = []
    for (const content of contents) ids.push(await shaped(content))
    expect(new Set(ids).size).toBe(contents.length)
    expect(await shaped({ b: [], a: 1 })).toBe(ids.at(-1))
  })

  test('that another replica accepted at the same time is delivered and shown once', async () => {
    const other = await world().start()
    const same = submission({ objectId: 'pay_race', content: '{}' })
    const answers = await Promise.all([service().operations.submit(same), other.operations.submit(same)])
    const ids = answers.map((answer) => (answer.ok && answer.value.kind !== 'filtered' ? answer.value.row.eventId : ''))
    expect(new Set(ids).size).toBe(1)
    await until('the delivery', () => (world().endpoint.got.length > 0 ? true : undefined))
    expect(await listed()).toEqual([ids[0]])
    expect(sentIds()).toEqual([ids[0]])
    await other.end()
  })

  test('that replicas accepted at the same time, and could not take back, is taken back when it comes again', async () => {
    await configure({ isEnabled: false })
    const other = await world().start()
    const same = submission({ objectId: 'pay_cut_off', content: '{}' })
    world().log.faults.loseNextAnswers(2)
    const answers = await Promise.allSettled([service().operations.submit(same), other.operations.submit(same)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const first = await accepted(same)
    expect(await listed()).toEqual([first])
    await other.end()
  })
})

describe('two replicas', () => {
  test('send each attempt once between them', async () => {
    const other = await world().start()
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => submitted(index % 2 === 0 ? service() : other)))
    await until('all deliveries', () => (world().endpoint.got.length >= 40 ? true : undefined))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sentIds().toSorted()).toEqual(ids.toSorted())
    await other.end()
  })

  test('a worker that was fenced off does not change what was recorded meanwhile', async () => {
    world().endpoint.answers('hang')
    const id = await accepted()
    await sent(1)
    world().pass(20_001)
    const other = await world().start()
    const place = { merchantId: 'm1', eventId: id, limit: 10, offset: 0 }
    await until('it is given up', async () => {
      const answer = await other.operations.attempts(place)
      return answer.ok && answer.value.at(-1)?.response.errorMessage === 'outcome unknown' ? true : undefined
    })
    world().endpoint.release(200)
    await until('the late result is told', () => (world().reports.some((text) => text.includes('late result')) ? true : undefined))
    const answer = await service().operations.attempts(place)
    expect(answer.ok && answer.value.at(-1)?.response).toMatchObject({ statusCode: null, errorMessage: 'outcome unknown' })
    expect(answer.ok && answer.value.at(-1)?.isDelivered).toBe(false)
    await other.end()
  })
})

describe('the list', () => {
  test('newest first, in pages that neither lose nor repeat while events arrive at their head', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index++) ids.push(await accepted())
    const newestFirst = ids.toReversed()
    const createdBefore = world().now()
    const pages = [await listed({ createdBefore, limit: 3 })]
    world().pass(1)
    await accepted()
    pages.push(await listed({ createdBefore, limit: 3, offset: 3 }), await listed({ createdBefore, limit: 3, offset: 6 }))
    expect(pages.flat()).toEqual(newestFirst)
  })

  test('by profile, type, object, id, time and flag', async () => {
    const first = await accepted({ eventType: 'refund_failed', objectId: 'ref_1' })
    await sent(1)
    await until('the flag', async () => ((await listed({ isDelivered: true })).length === 1 ? true : undefined))
    world().pass(60_000)
    const second = await accepted({ profileId: 'other' })
    expect(await listed({ profileId: 'other' })).toEqual([second])
    expect(await listed({ types: ['refund_failed'] })).toEqual([first])
    expect(await listed({ objectId: 'ref_1' })).toEqual([first])
    expect(await listed({ eventId: second })).toEqual([second])
    expect(await listed({ isDelivered: false })).toEqual([second])
    expect(await listed({ createdAfter: world().now() - 30_000 })).toEqual([second])
    expect(await listed({ createdBefore: world().now() - 30_000 })).toEqual([first])
    expect(await service().operations.list(filter({ profileId: 'nobody' }))).toEqual({ ok: false, refusal: 'PROFILE_NOT_FOUND' })
  })

  test.each([{}, { object_id: 'pay_ahead' }])('without an end left out what a clock ahead of this one had accepted: %j', async (sent) => {
    world().pass(60_000)
    const id = await accepted({ objectId: 'pay_ahead' })
    world().pass(-60_000)
    const parsed = parseEventList('m1', sent, world().now())
    const { rows } = valueOf(await service().operations.list(parsed.ok ? parsed.filter : filter()))
    expect(rows.map(({ eventId }) => eventId)).toEqual([id])
  })

  test('of a profile without an endpoint of which nothing is asked for is empty, as long as it has an event', async () => {
    await accepted({ profileId: 'other' })
    expect(await listed({ profileId: 'other', isDelivered: true })).toEqual([])
    expect(await listed({ profileId: 'other', types: ['refund_failed'] })).toEqual([])
    expect(await listed({ profileId: 'other', createdBefore: world().now() - 30_000 })).toEqual([])
  })
})

describe('a merchant that is closed', () => {
  test('takes its key along: nothing of it can be read, also not by a merchant that comes back under its id', async () => {
    const id = await accepted()
    expect(world().vault.count()).toBe(1)
    await world().append(
      { type: 'MerchantClosed', data: { merchantId: 'm1', at: world().now() } },
      { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: world().now() + 1 } },
    )
    await until('the key is destroyed', () => (world().vault.count() === 0 ? true : undefined))
    expect(await service().operations.retrieve({ merchantId: 'm1', eventId: id })).toEqual({ ok: false, refusal: 'EVENT_NOT_FOUND' })
    expect(await listed()).toEqual([])
  })

  test('while its keys could not be reached kept them, and all that they open, until the process was started again', async () => {
    await accepted()
    const { vault } = world()
    const { destroy } = vault
    const away = new OperatingError('STORE_UNAVAILABLE', 'the keys are away', { retryable: true })
    let failuresLeft = 3
    Object.assign(vault, {
      destroy: async (...key: Parameters<typeof destroy>) => (failuresLeft-- > 0 ? Promise.reject(away) : destroy(...key)),
    })
    await world().append({ type: 'MerchantClosed', data: { merchantId: 'm1', at: world().now() } })
    await until('the key is destroyed', () => (vault.count() === 0 ? true : undefined))
    expect(failuresLeft).toBeLessThan(0)
  })

  test('had its keys destroyed by one more at each change of the next one of its id, as long as they could not be reached', async () => {
    await accepted()
    const { vault } = world()
    const { destroy } = vault
    let askedCount = 0
    let comeBack = (): void => {}
    const back = new Promise<void>((resolve) => {
      comeBack = resolve
    })
    Object.assign(vault, {
      destroy: async (...key: Parameters<typeof destroy>) => {
        askedCount += 1
        await back
        await destroy(...key)
      },
    })
    await world().append(
      { type: 'MerchantClosed', data: { merchantId: 'm1', at: world().now() } },
      { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, name: null, at: world().now() + 1 } },
    )
    await until('the key is to be destroyed', () => (askedCount > 0 ? true : undefined))
    for (const maxConcurrencyCount of [1, 2, 3]) expect(await configure({ maxConcurrencyCount })).toMatchObject({ ok: true })
    expect(askedCount).toBe(1)
    comeBack()
    await until('only the next one has a key', () => (vault.count() === 1 ? true : undefined))
  })

  test('while attempts are under way gets no new key by their answers', async () => {
    world().endpoint.answers('hang')
    const id = await accepted()
    await sent(1)
    const retried = retry(id)
    await sent(2)
    await world().append({ type: 'MerchantClosed', data: { merchantId: 'm1', at: world().now() } })
    await until('the key is destroyed', () => (world().vault.count() === 0 ? true : undefined))
    world().endpoint.release(200)
    expect(await retried).toMatchObject({ ok: true, value: { request: { body: '' }, response: { body: null, statusCode: 200 } } })
    expect(world().vault.count()).toBe(0)
  })
})
