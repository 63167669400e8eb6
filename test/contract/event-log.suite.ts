import { describe } from '@jest/globals'
import type { EventLogAdapter, OpenedLog } from './event-log/adapter.ts'
import { describeAppending } from './event-log/appending.ts'
import { describeFaults } from './event-log/faults.ts'
import { describeLifeCycle } from './event-log/life-cycle.ts'
import { describeModel } from './event-log/model.ts'
import { describeReading } from './event-log/reading.ts'
import { describeTailing } from './event-log/tailing.ts'

/** What every event log promises. Nothing is assumed of offsets but their order, nor of which partition a key gets. */
export const describeEventLog = <Opened extends OpenedLog>(name: string, adapter: EventLogAdapter<Opened>): void => {
  describe(`event log: ${name}`, () => {
    describeAppending(adapter)
    describeReading(adapter)
    describeTailing(adapter)
    describeFaults(adapter)
    describeLifeCycle(adapter)
    describeModel(adapter)
  })
}
