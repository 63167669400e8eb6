import { expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { createMemoryLog } from '@switchyard/log-memory'
import { APPENDER_LIMITS } from '@switchyard/runtime'
import { sampleGatewayDecided } from '@switchyard/testing'
import { createMetrics } from './metrics/metrics.ts'
import { createRecorder } from './payments.ts'

test('telling the use of many keys at once dropped decisions', async () => {
  const keyCount = APPENDER_LIMITS.lossyCountMax + 1
  const log = createMemoryLog()
  const failures: string[] = []
  const report = { info: () => {}, failed: (text: string) => failures.push(text) }
  const codec = createEventCodec(publishedSchemaIds(), { strict: false })
  const { appender, noteKey, part } = createRecorder({ log, codec }, { report, metrics: createMetrics('thread') })
  for (let i = 0; i < keyCount; i++) noteKey({ keyId: `k${i}`, merchantId: `m${i}`, notedInRound: 0 })
  appender.enqueue(sampleGatewayDecided())
  await part.stop?.()
  const counts = new Map<string, number>()
  for await (const records of log.read('payments', new Map()))
    for (const { headers } of records) counts.set(headers.type, (counts.get(headers.type) ?? 0) + 1)
  expect(failures).toEqual([])
  expect([...counts.values()].sort((a, b) => a - b)).toEqual([1, keyCount])
  await log.close()
})
