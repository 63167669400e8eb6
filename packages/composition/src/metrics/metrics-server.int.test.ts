import { expect, test } from '@jest/globals'
import { createMetrics } from './metrics.ts'
import { createMetricsServer } from './metrics-server.ts'

test('the port of metrics that nobody set is not taken from the service that was given it', async () => {
  const told: string[] = []
  const server = createMetricsServer({
    settings: { host: '127.0.0.1', port: 9094, metricsPort: { port: 9094, isDefault: true } },
    metrics: createMetrics(),
    report: { info: (text) => void told.push(text), failed: () => {} },
    logger: { error: () => {} },
  })
  await server.start(new AbortController().signal)
  await server.stop()
  expect(told).toEqual(['no metrics: the service listens on port 9094; SWITCHYARD_METRICS_PORT names another one'])
})
