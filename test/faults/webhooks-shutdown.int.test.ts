import { expect, test } from '@jest/globals'
import { createMerchant } from '../support/client.ts'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { sleeping } from '../support/receivers/behaviours.ts'
import { startReceiver } from '../support/receivers/receiver.ts'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'
import { webhookMerchant } from '../support/webhook-client.ts'

test('a server that is told to end waits for the attempts under way: their answers are recorded, and nothing is sent twice', async () => {
  const folder = temporaryFolder()
  const receiver = await startReceiver(sleeping(700))
  const start = (): Promise<RunningServer> => startStandalone({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  const first = await start()
  const owner = await createMerchant(first.url)
  await webhookMerchant(first.url, owner).configure(receiver.url)
  const id: string = (await webhookMerchant(first.url, owner).submit()).json.event_id
  await receiver.received(1)
  await first.stop()

  const second = await start()
  const { json } = await webhookMerchant(second.url, owner).attempts(id)
  expect(json).toMatchObject([{ is_delivery_successful: true, response: { status_code: 200, body: 'late' } }])
  expect(receiver.requests).toHaveLength(1)
  await second.stop()
  await receiver.stop()
  await folder.remove()
}, 60_000)
