import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'

const DURATIONS = { cumulative: new Array(13).fill(2), sumSeconds: 0.5 }

test('outgoing events are asked for once a scrape, and are absent where nobody answers', async () => {
  const metrics = createMetrics()
  expect(await metrics.text()).not.toContain('webhook_attempt_seconds_count')
  let asked = 0
  metrics.watchDeliveries(async () => {
    asked += 1
    return {
      waiting: { new: 1, retry: 2 },
      underWay: { new: 3, retry: 4 },
      openCircuitCount: 5,
      endpoints: { active: 7, disabled_gone: 8 },
      exhaustedCount: 9,
      attempts: [{ kind: 'scheduled', outcome: '2xx', count: 6 }],
      duration: DURATIONS,
      delay: DURATIONS,
    }
  })
  const text = await metrics.text()
  for (const line of [
    'webhook_deliveries_waiting{lane="retry"} 2',
    'webhook_deliveries_under_way{lane="new"} 3',
    'webhook_circuits_open 5',
    'webhook_endpoints{status="disabled_gone"} 8',
    'webhook_events_exhausted_total 9',
    'webhook_attempts_total{kind="scheduled",outcome="2xx"} 6',
    'webhook_attempt_seconds_bucket{le="30"} 2',
    'webhook_first_attempt_delay_seconds_sum 0.5',
  ])
    expect(text).toContain(line)
  expect(asked).toBe(1)
  metrics.watchDeliveries(() => Promise.reject(new Error('gone')))
  expect(await metrics.text()).not.toContain('webhook_attempt_seconds_count')
})
