import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Admin } from 'kafkajs'
import { type Report, reportAsAvro, reportAsJson } from '../../docs/examples/report-outcomes.ts'
import { type Answer, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { newSurroundings, type Surroundings, startService } from '../support/cluster.ts'
import { produce, readMessages, withProducer } from '../support/kafka-messages.ts'
import { administer, topicNameOf } from '../support/kafka-topics.ts'
import type { RunningProcess } from '../support/processes.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { serverAddresses } from '../support/server-addresses.ts'

const MERCHANT = 'm_inbound'
const WAIT_MAX_MS = 30_000

describeWithServers('outcomes that others write into outcomes-inbound', () => {
  let surroundings: Surroundings
  let services: readonly RunningProcess[]
  let decide: RunningProcess
  let queryApi: RunningProcess
  let brokers: string
  let merchant: TestMerchant
  let payments = 0
  /** Payment that outcomes are reported of. */
  let reported = ''

  const topic = (): string => topicNameOf(surroundings.topicPrefix, 'outcomes-inbound')
  const group = (): string => `${surroundings.topicPrefix}.decide.outcomes-inbound-v1`

  const decision = (): Promise<Answer> =>
    call(decide.url, 'POST /decide-gateway', { body: decisionRequest(MERCHANT, `pay_${++payments}`), headers: merchant.key })
  const score = ({ json }: Answer, gateway: string): number => json.gateway_priority_map?.[gateway]

  const failure = (gateway: string, paymentId: string, merchantId = MERCHANT): Report => ({
    merchantId,
    gateway,
    paymentId,
    status: 'FAILURE',
  })

  const sendBytes = (value: string | Buffer, key = MERCHANT): Promise<void> => produce(brokers, topic(), [{ key, value }])
  const sendJson = (report: Report): Promise<void> => withProducer(brokers, (producer) => reportAsJson(producer, topic(), [report]))
  const sendAvro = (report: Report): Promise<void> =>
    withProducer(brokers, (producer) => reportAsAvro(producer, serverAddresses().schemaRegistryUrl, topic(), [report]))

  /** A crash before the offsets were noted, as the brokers see it: everything is given again. The group has to be seen as gone first. */
  const rewind = async (admin: Admin): Promise<void> => {
    const partitions = [0, 1, 2].map((partition) => ({ partition, offset: '0' }))
    for (const deadline = Date.now() + WAIT_MAX_MS; ; ) {
      try {
        return await admin.setOffsets({ groupId: group(), topic: topic(), partitions })
      } catch (error) {
        if (Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  beforeAll(async () => {
    surroundings = newSurroundings()
    brokers = serverAddresses().kafkaBrokers
    const start = (name: Parameters<typeof startService>[0]): Promise<RunningProcess> => startService(name, surroundings).ready()
    const [projector, commandApi, query, deciding] = await Promise.all([
      start('projector'),
      start('command-api'),
      start('query-api'),
      start('decide'),
    ])
    decide = deciding
    queryApi = query
    services = [projector, commandApi, query]
    merchant = await createMerchant(commandApi.url, MERCHANT)
    const config = { type: 'successRate', data: { defaultBucketSize: 50, defaultHedgingPercent: 0 } }
    await call(commandApi.url, 'POST /rule/create', { body: { merchant_id: MERCHANT, config }, headers: merchant.key })
  }, 120_000)
  afterAll(async () => {
    for (const service of [decide, ...services]) await service.end('SIGTERM')
    await surroundings.remove()
  }, 60_000)

  test('count, as JSON and as Avro', async () => {
    const first = await eventually('a decision with scores', decision, (answer) => score(answer, 'adyen') === 1)
    expect(first.json.gateway_priority_map).toEqual({ adyen: 1, checkout: 1, stripe: 1 })
    await sendJson(failure('adyen', `pay_${payments}`))
    await sendAvro(failure('stripe', `pay_${payments}`))
    reported = `pay_${payments}`
    const learnt = await eventually('both effects', decision, (answer) => score(answer, 'adyen') < 1 && score(answer, 'stripe') < 1)
    expect(learnt.json.gateway_priority_map).toEqual({ adyen: 0.98, checkout: 1, stripe: 0.98 })
  }, 60_000)

  test('that are bad are set aside with the reason, and stop nothing', async () => {
    await sendBytes('{"merchantId":')
    await sendBytes(JSON.stringify(failure('checkout', reported)), 'm_other')
    await sendJson(failure('checkout', reported, 'm_nobody'))
    await sendBytes(Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1]))
    await sendBytes(Buffer.from([0, 0, 0, 0x27, 0x10, 1]))
    await sendBytes(`{"merchantId":"${'x'.repeat(70_000)}"}`)
    await sendJson(failure('checkout', reported))
    await eventually('the effect of the good one', decision, (answer) => score(answer, 'checkout') === 0.98)
    const letters = await readMessages(brokers, topicNameOf(surroundings.topicPrefix, 'outcomes-inbound-dead-letters'), 6)
    expect(letters.map(({ headers }) => headers['reason']).toSorted()).toEqual([
      'INVALID_INPUT',
      'KEY_MISMATCH',
      'MERCHANT_NOT_FOUND',
      'RECORD_TOO_LARGE',
      'SCHEMA_UNKNOWN',
      'SCHEMA_UNKNOWN',
    ])
    const letter = letters.find(({ headers }) => headers['reason'] === 'INVALID_INPUT')
    expect(letter).toMatchObject({ key: MERCHANT, headers: { 'source-topic': topic(), 'source-offset': expect.stringMatching(/^\d+$/) } })
    expect(letter?.value.toString()).toBe('{"merchantId":')
    expect(decide.output()).toContain('set aside')
  }, 60_000)

  test('that are given again after a crash count once', async () => {
    await decide.end('SIGKILL')
    await administer(brokers, rewind)
    decide = await startService('decide', surroundings).ready()
    await decision()
    await sendJson(failure('adyen', `pay_${payments}`))
    const learnt = await eventually('the effect of what came behind them', decision, (answer) => score(answer, 'adyen') < 0.98)
    expect(learnt.json.gateway_priority_map).toEqual({ adyen: 0.96, checkout: 0.98, stripe: 0.98 })
    const explained = (): Promise<Answer> => call(queryApi.url, `GET /decisions/${reported}`, { headers: merchant.key })
    const dispositionsOf = ({ json }: Answer): readonly string[] =>
      (json?.outcomes ?? []).map(({ disposition }: { readonly disposition: string }) => disposition)
    const told = await eventually('what came again', explained, (answer) => dispositionsOf(answer).length === 6)
    expect(dispositionsOf(told).toSorted()).toEqual(['counted', 'counted', 'counted', 'repeated', 'repeated', 'repeated'])
  }, 90_000)
})
