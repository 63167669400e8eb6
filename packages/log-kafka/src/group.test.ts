import { expect, test } from '@jest/globals'
import { startMember } from './group.ts'
import { openSilentBroker } from './silent-broker.fixture.ts'

const LEAVE_MAX_MS = 50

test('a member whose brokers fell silent leaves within its bound: it waited for each question of ten seconds', async () => {
  const broker = await openSilentBroker()
  const failures: unknown[] = []
  const member = startMember(
    {
      options: broker.options,
      name: 't',
      topicMissingMaxMs: 1,
      leaveMaxMs: LEAVE_MAX_MS,
      tail: () => ({ stop: async () => {} }),
    },
    { group: 'g', from: async () => new Map(), onFailure: (error) => failures.push(error) },
  )
  await broker.asked
  await member.stop()
  broker.close()
  expect(failures).toEqual([])
}, 3_000)
