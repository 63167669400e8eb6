import { expect, test } from '@jest/globals'
import { systemTimers, type Timers } from '@switchyard/runtime'
import { DRAIN_MAX_MS, DUE_CHECK_INTERVAL_MS } from '../limits.ts'
import { useDispatcher, valueOf } from '../running-dispatcher.fixture.ts'
import { until } from '../sample-dispatcher.fixture.ts'

const { world, service, accepted, sent, ended, retry } = useDispatcher()

test('retries that waited for their turn were begun by a process that was stopping, and were cut off by its end', async () => {
  const turns: (() => void)[] = []
  const timers: Timers = {
    now: () => 0,
    after: (delayMs, run) => {
      if (delayMs === DUE_CHECK_INTERVAL_MS || delayMs === DRAIN_MAX_MS) return systemTimers.after(delayMs, run)
      turns.push(run)
      return () => {}
    },
  }
  world().endpoint.answers(500)
  for (const id of [await accepted(), await accepted(), await accepted()]) await ended(id)
  await service().end()
  world().pass(60_000)
  const next = await world().start(undefined, timers)
  await sent(4)
  await until('the others wait', () => (next.figures().underWay['retry'] === 2 ? true : undefined))
  const ending = next.end()
  for (const run of turns) run()
  await ending
  expect(world().endpoint.got).toHaveLength(4)
})

test('a retry by hand was not waited for at the end of its process: what it came to was not recorded', async () => {
  const id = await accepted()
  await ended(id)
  world().endpoint.answers('hang')
  const answer = retry(id)
  await sent(2)
  const ending = service().end()
  const next = await world().start()
  world().endpoint.release(204)
  await ending
  const { eventId } = valueOf(await answer)
  const after = valueOf(await next.operations.retrieve({ merchantId: 'm1', eventId }))
  await next.end()
  expect(after.response.statusCode).toBe(204)
})
