import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import type { RecordHeaders } from '@switchyard/kernel'
import { messageOf } from './messages.ts'

const headers: Required<Omit<RecordHeaders, 'idempotencyKey'>> = {
  id: 'event-1',
  type: 'switchyard.config.FeatureEnabled',
  correlation: 'request-1',
  actor: 'admin',
  expectedVersion: 3,
  trace: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  traceId: 'abc123',
  globalRequestId: 'global-1',
}

test('docs/consuming-events.md names every header, as exports have it and as Kafka has it', () => {
  const text = readFileSync(new URL('../../../docs/consuming-events.md', import.meta.url), 'utf8')
  const row = /^\| headers \|.*$/m.exec(text)?.[0] ?? ''
  const { headers: inKafka = {} } = messageOf({ key: 'm_1', value: new Uint8Array(), headers }, 0)
  const names = [...Object.keys(headers), ...Object.keys(inKafka)]
  expect(names.filter((name) => !row.includes(`\`${name}\``))).toEqual([])
})
