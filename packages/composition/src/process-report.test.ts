import { expect, test } from '@jest/globals'
import { createLogger } from '@switchyard/runtime'
import { createProcessReport } from './process-report.ts'

test('why a process ends is told at the log level fatal, too: it ended without a word', () => {
  const told: string[] = []
  const logger = createLogger({ logLevel: 'fatal' }, { write: (line) => void told.push(JSON.parse(line).msg) })
  const { report, ending } = createProcessReport(logger)
  report.info('SIGTERM: stopping')
  report.failed('a mail was not sent', new Error('full'))
  ending.failed('the process ends: a part can not go on', new Error('another log'))
  expect(told).toEqual(['the process ends: a part can not go on'])
})
