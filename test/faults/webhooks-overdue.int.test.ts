import { expect, test } from '@jest/globals'
import { writeOverdue } from '../../bench/webhook-overdue.mjs'
import { createMerchant } from '../support/client.ts'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { answering } from '../support/receivers/behaviours.ts'
import { startReceiver } from '../support/receivers/receiver.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { webhookMerchant } from '../support/webhook-client.ts'

const OVERDUE_COUNT = 600
/** So many have gone out when the process is killed. */
const KILLED_BEHIND = 150

/** Attempts of one endpoint at a time, by default. */
const UNDER_WAY_MAX = 8

const idsOf = (requests: readonly { readonly headers: Readonly<Record<string, string | undefined>> }[]): readonly string[] =>
  requests.map(({ headers }) => headers['webhook-id'] ?? '')

test('a backlog of overdue retries holds up no new event, and all of it goes out, also when the process is killed over it', async () => {
  const folder = temporaryFolder()
  const receiver = await startReceiver(answering(200))
  const start = (): Promise<RunningServer> => startStandalone({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  const first = await start()
  const owner = await createMerchant(first.url)
  await webhookMerchant(first.url, owner).configure(receiver.url, { timeout_seconds: 1, retry_delays_seconds: [1, 1, 1, 600] })
  await first.stop()
  await writeOverdue({ folder: folder.path, endpoints: [{ merchantId: owner.id }], overdueCount: OVERDUE_COUNT })

  const second = await start()
  const fresh: string = (await webhookMerchant(second.url, owner).submit()).json.event_id
  await receiver.received(KILLED_BEHIND)
  // Events and retries of one endpoint take turns: it went out long before the last of them.
  expect(idsOf(receiver.requests)).toContain(fresh)
  await second.kill()

  const third = await start()
  // What was under way at the kill has an unknown outcome, and comes again with its schedule; nothing else twice, and nothing not at all.
  for (let count = OVERDUE_COUNT + 1; new Set(idsOf(receiver.requests)).size <= OVERDUE_COUNT; count += 1) await receiver.received(count)
  await third.stop()
  const arrived = idsOf(receiver.requests)
  expect(arrived.length - new Set(arrived).size).toBeLessThanOrEqual(UNDER_WAY_MAX)
  await receiver.stop()
  await folder.remove()
}, 120_000)
