import { describe, expect, test } from '@jest/globals'
import { type NewRecord, OperatingError, type Topic } from '@switchyard/kernel'
import { PROJECTION_LIMITS } from '../limits.ts'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'
import { PLACE, until } from '../sample-dispatcher.fixture.ts'

const { world, service, configure, accepted, sent, ended, retry } = useDispatcher()

describe('what an endpoint answered while the log was away', () => {
  test('was forgotten, and the event sent again though it was taken', async () => {
    world().endpoint.answers('hang')
    const id = await accepted()
    await sent(1)
    world().log.faults.failNextAppends(3)
    world().endpoint.release(200)
    expect(await ended(id)).toMatchObject({ isDelivered: true, response: { statusCode: 200, body: 'ok' } })
    world().endpoint.answers(200)
    world().pass(86_400_000)
    await accepted()
    await sent(2)
  })

  test('to a retry by hand was refused to who had asked for it', async () => {
    const id = await accepted()
    await ended(id)
    world().endpoint.answers('hang')
    const answer = retry(id)
    await sent(2)
    world().log.faults.failNextAppends(3)
    world().endpoint.release(500)
    expect(valueOf(await answer).response.statusCode).toBe(500)
  })

  test('is recorded once when only the answer of the log was lost', async () => {
    world().endpoint.answers('hang')
    const id = await accepted()
    await sent(1)
    world().log.faults.loseNextAnswers(1)
    world().endpoint.release(200)
    expect(await ended(id)).toMatchObject({ isDelivered: true, response: { statusCode: 200 } })
    await service().end()
    expect(world().reports).toEqual([])
    await world()
      .start()
      .then((next) => next.end())
  })
})

test('a retry by hand was answered as if it had not been made when its endpoint could not be disabled', async () => {
  const id = await accepted()
  await ended(id)
  world().endpoint.answers(410)
  const { log } = world()
  const { append } = log
  const away = new OperatingError('LOG_UNAVAILABLE', 'the topic config is away', { retryable: true })
  Object.assign(log, { append: (...args: Parameters<typeof append>) => (args[0] === 'config' ? Promise.reject(away) : append(...args)) })
  expect(valueOf(await retry(id)).response.statusCode).toBe(410)
  expect(world().reports).toEqual([expect.stringContaining('m1')])
  Object.assign(log, { append })
  await retry(id)
  await until('it is disabled', async () => {
    const { endpoint } = valueOf(await service().operations.readEndpoint(PLACE))
    return endpoint.status === 'disabled_gone' ? true : undefined
  })
  await retry(id)
  expect(world().reports.filter((text) => text.includes('disabled (GONE)'))).toHaveLength(1)
})

test('an automatic retry that fell due before the log had answered for the attempt before waited until its endpoint had something else to do', async () => {
  await configure({ retryDelaysSeconds: [1] })
  world().endpoint.answers(500, 200)
  const { log } = world()
  const { append } = log
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const isEnd = ({ headers: { type } }: NewRecord): boolean => type.includes('DeliveryAttemptFinished')
  Object.assign(log, {
    append: async (topic: Topic, records: readonly NewRecord[]) => {
      const positions = await append(topic, records)
      if (records.some(isEnd)) await answered
      return positions
    },
  })
  const id = await accepted()
  await ended(id)
  world().pass(1_000)
  // The index is looked at when what was recorded is stored.
  await new Promise((resolve) => setTimeout(resolve, 2 * PROJECTION_LIMITS.flushDelayMs))
  answer()
  await until('the retry', () => {
    world().pass(100)
    return world().endpoint.got.length === 2 ? true : undefined
  })
  expect(world().endpoint.got.map(({ headers }) => Object.fromEntries(headers)['webhook-id'])).toEqual([id, id])
})
