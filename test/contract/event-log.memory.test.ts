import { createMemoryLog } from '@switchyard/log-memory'
import { describeEventLog } from './event-log.suite.ts'

describeEventLog('memory', {
  open: async () => {
    const log = createMemoryLog()
    return { log, openReader: async () => log, dispose: log.close }
  },
  failNextAppend: ({ log }) => log.faults.failNextAppends(1),
  loseNextAnswer: ({ log }) => log.faults.loseNextAnswers(1),
  holdAppends: ({ log }) => {
    log.faults.hold()
    return log.faults.release
  },
  truncate: async ({ log }, topic, upTo) => await log.truncate(topic, upTo),
})
