import { describe, expect, test } from '@jest/globals'
import { OperatingError, type Position } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import type { AppenderStatus, PaymentAppender } from '@switchyard/runtime'
import { sampleGatewayDecided } from '@switchyard/testing'
import { createMetrics, type Metrics } from './metrics.ts'

const lineOf = async ({ text }: Metrics, line: string): Promise<number | undefined> => {
  const found = (await text()).split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('metrics move', () => {
  test('with the buffer of events: its fill, its capacity, and what was dropped', async () => {
    const metrics = createMetrics()
    let status: AppenderStatus = { bufferedCount: 0, bufferedCountMax: 10, droppedCount: 0 }
    const appender: PaymentAppender = {
      append: async (): Promise<Position> => ({ partition: 0, offset: 0 }),
      appendAll: async () => [],
      enqueue: () => {
        status = { ...status, bufferedCount: status.bufferedCount + 1, droppedCount: 4 }
      },
      sendAlong: () => {},
      status: () => status,
      close: async () => {},
    }
    const counted = metrics.ofAppender(appender)
    expect(await lineOf(metrics, 'append_buffer_events')).toBe(0)
    counted.enqueue(sampleGatewayDecided({ approach: 'SR_SELECTION_V3_ROUTING' }))
    expect(await lineOf(metrics, 'append_buffer_events')).toBe(1)
    expect(await lineOf(metrics, 'append_buffer_capacity_events')).toBe(10)
    expect(await lineOf(metrics, 'decisions_dropped_total')).toBe(4)
    expect(await lineOf(metrics, 'routing_decisions_total{approach="SR_SELECTION_V3_ROUTING",status="success"}')).toBe(1)
  })

  test('with the projections: lag, standing still and dead letters; nothing while nobody answers', async () => {
    const metrics = createMetrics()
    let state = 'running'
    metrics.watchProjections(async () => {
      if (state === 'away') throw new Error('nobody answers')
      return [{ topic: 'payments', state, lagCount: 7, deadLetterCount: 2 }]
    })
    expect(await lineOf(metrics, 'projection_lag_records{topic="payments"}')).toBe(7)
    expect(await lineOf(metrics, 'dead_letters_total{topic="payments"}')).toBe(2)
    expect(await lineOf(metrics, 'projection_running{topic="payments"}')).toBe(1)
    state = 'failed'
    expect(await lineOf(metrics, 'projection_running{topic="payments"}')).toBe(0)
    state = 'away'
    expect(await lineOf(metrics, 'projection_lag_records{topic="payments"}')).toBeUndefined()
  })

  test('with inboxes: what is still to be taken of each, and nothing of one that does not answer', async () => {
    const metrics = createMetrics()
    metrics.watchInbox('outcomes-inbound', async () => 1_200)
    metrics.watchInbox('webhook-events-inbound', () => Promise.reject(new Error('no broker')))
    expect(await lineOf(metrics, 'inbox_lag_records{topic="outcomes-inbound"}')).toBe(1_200)
    expect(await lineOf(metrics, 'inbox_lag_records{topic="webhook-events-inbound"}')).toBeUndefined()
  })

  test('with the log: appends, events by their schema, and failures', async () => {
    const metrics = createMetrics()
    const log = metrics.ofLog(createMemoryLog())
    const record = { key: 'm_1', value: new Uint8Array(), headers: { id: 'e_1', type: 'switchyard.config.FeatureEnabled' } }
    await log.append('config', [record, record])
    expect(await lineOf(metrics, 'log_append_seconds_count{topic="config"}')).toBe(1)
    expect(await lineOf(metrics, 'recorded_events_total{type="switchyard.config.FeatureEnabled"}')).toBe(2)
    await log.close()
    await expect(log.append('config', [record])).rejects.toThrow(OperatingError)
    expect(await lineOf(metrics, 'log_append_failures_total{topic="config"}')).toBe(1)
  })

  test('with those of other threads: what all of them counted, and what only one knows', async () => {
    const [metrics, other] = [createMetrics(), createMetrics('thread')]
    const log = createMemoryLog()
    const record = { key: 'm_1', value: new Uint8Array(), headers: { id: 'e_1', type: 'switchyard.config.FeatureEnabled' } }
    await metrics.ofLog(log).append('config', [record])
    await other.ofLog(log).append('config', [record, record])
    await other.ofLog(log).append('payments', [record])
    metrics.addThreads(async () => [structuredClone(await other.figures()), await other.figures()])
    expect(await lineOf(metrics, 'recorded_events_total{type="switchyard.config.FeatureEnabled"}')).toBe(7)
    expect(await lineOf(metrics, 'log_append_seconds_count{topic="config"}')).toBe(3)
    expect(await lineOf(metrics, 'log_append_seconds_bucket{topic="payments",le="+Inf"}')).toBe(2)
    expect(await lineOf(metrics, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await lineOf(metrics, 'process_start_time_seconds')).toBeGreaterThan(0)
    expect((await other.text()).includes('process_cpu')).toBe(false)
  })
})
