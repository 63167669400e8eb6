import { isOperatingError, messageWithCauses, OperatingError } from '@switchyard/kernel'
import { createLifecycle, createLogger, type Part, type Settings, superviseProcess } from '@switchyard/runtime'
import { createMetrics } from './metrics/metrics.ts'
import { createMetricsServer } from './metrics/metrics-server.ts'
import { createProcessReport } from './process-report.ts'
import type { Voices } from './surroundings.ts'

/** Builds the parts of a process, starts them in their order, and stops them at a signal in the reverse one. */
export const runProcess = async (
  settings: Pick<Settings, 'logLevel' | 'host' | 'port' | 'metricsPort'>,
  build: (voices: Voices) => readonly Part[] | Promise<readonly Part[]>,
): Promise<void> => {
  const logger = createLogger(settings)
  const { report, ending } = createProcessReport(logger)
  const onFailure = (error: unknown): void => {
    ending.failed('the process ends: a part can not go on', error)
    process.exit(1)
  }
  const failures: Voices['logger'] = { error: (fields, text) => logger.error(fields, text) }
  const metrics = createMetrics()
  const parts = await build({ report, logger: failures, metrics, onFailure })
  // First, so that it tells of the start and of the end of all others.
  const lifecycle = createLifecycle([createMetricsServer({ settings, metrics, report, logger: failures }), ...parts], report)
  superviseProcess({ lifecycle, events: process, exit: (code) => process.exit(code), report: ending })
  await lifecycle.start()
}

/** The line that a person gets when a start fails; bugs keep their stack. */
const failureLine = (error: unknown): string => {
  if (isOperatingError(error)) return messageWithCauses(error)
  return error instanceof Error
    ? (error.stack ?? error.message)
    : new OperatingError('SETTING_INVALID', String(error), { retryable: false }).message
}

/** For a `main`: a start that fails ends the process with one line that says why. */
export const endWhenItFails = (start: Promise<void>): void => {
  start.catch((error: unknown) => {
    process.stderr.write(`${failureLine(error)}\n`)
    process.exit(1)
  })
}
