import type { createLogger, LifecycleReport } from '@switchyard/runtime'

/** What happens to a process, as its log tells it: a failure that it lives with is an error, what ends it is fatal. */
export const createProcessReport = (
  logger: Pick<ReturnType<typeof createLogger>, 'info' | 'error' | 'fatal'>,
): { readonly report: LifecycleReport; readonly ending: LifecycleReport } => {
  const info = (text: string): void => logger.info(text)
  return {
    report: { info, failed: (text, error) => logger.error({ err: error }, text) },
    ending: { info, failed: (text, error) => logger.fatal({ err: error }, text) },
  }
}
