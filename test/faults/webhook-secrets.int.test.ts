import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { answering } from '../support/receivers/behaviours.ts'
import { startReceiver } from '../support/receivers/receiver.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'
import { createWebhookMerchant, WEBHOOK_SECRET } from '../support/webhook-client.ts'

test('no secret, header value, body or answer of a webhook stands on the disk as it is', async () => {
  const folder = temporaryFolder()
  const server = await startStandalone({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  const receiver = await startReceiver(answering(200, 'answer-in-clear'))
  const merchant = await createWebhookMerchant(server.url)
  await merchant.configure(receiver.url, { custom_headers: { 'x-shop-token': 'header-in-clear' } })
  const { json } = await merchant.submit({ content: { note: 'body-in-clear' } })
  const attempts = await merchant.finished(json.event_id, 1)
  expect(attempts.json[0]).toMatchObject({
    response: { body: 'answer-in-clear' },
    request: { body: expect.stringContaining('body-in-clear') },
  })
  await server.stop()
  for (const text of ['header-in-clear', 'body-in-clear', 'answer-in-clear', WEBHOOK_SECRET.slice(6)]) {
    const { stdout, status } = spawnSync('grep', ['-rlaF', text, folder.path], { encoding: 'utf8' })
    expect([text, stdout, status]).toEqual([text, '', 1])
  }
  await receiver.stop()
  await folder.remove()
}, 60_000)
