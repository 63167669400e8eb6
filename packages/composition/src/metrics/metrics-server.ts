import { createGate, createHttpServer, type Route } from '@switchyard/http'
import { isOperatingError } from '@switchyard/kernel'
import type { LifecycleReport, Part, Settings } from '@switchyard/runtime'
import { nobody, noTokens } from '../nobody.ts'
import { newId, now, type Voices } from '../surroundings.ts'
import type { Metrics } from './metrics.ts'

/** What {@link createMetricsServer} needs. */
export interface MetricsServerDependencies {
  readonly settings: Pick<Settings, 'host' | 'port' | 'metricsPort'>
  readonly metrics: Metrics
  readonly report: LifecycleReport
  readonly logger: Voices['logger']
}

const metricsRoute = ({ text, contentType }: Metrics): Route => ({
  spec: { method: 'GET', path: '/metrics', access: 'public', permission: 'routing:read', tenant: false, body: 'none', hot: false },
  handle: async () => ({ status: 200, text: await text(), contentType }),
})

/**
 * `GET /metrics` on a port of its own (platform.md 12), so that it can be kept from clients. A port that nobody asked for and that
 * is taken, or that the service itself was given, is done without; one that was set and is taken ends the start.
 */
export const createMetricsServer = ({ settings, metrics, report, logger }: MetricsServerDependencies): Part => {
  const server = createHttpServer({
    routes: [metricsRoute(metrics)],
    gate: createGate({ directory: nobody, tokens: noTokens, adminSecret: '', tenants: [], now }),
    newId,
    now,
    logger,
  })
  const { port, isDefault } = settings.metricsPort
  const doWithout = (who: string): void => report.info(`no metrics: ${who} on port ${port}; SWITCHYARD_METRICS_PORT names another one`)
  return {
    name: 'metrics',
    start: async () => {
      if (port === undefined) return
      if (isDefault && port === settings.port) return doWithout('the service listens')
      try {
        const { url } = await server.listen(port, settings.host)
        report.info(`metrics at ${url}/metrics`)
      } catch (error) {
        if (!isDefault || !isOperatingError(error, 'ADDRESS_IN_USE')) throw error
        doWithout('something else listens')
      }
    },
    stop: server.close,
  }
}
