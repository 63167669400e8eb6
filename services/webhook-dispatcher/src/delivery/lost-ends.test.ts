import { describe, expect, test } from '@jest/globals'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'

const { world, service, accepted, sent, ended, retry } = useDispatcher()

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
