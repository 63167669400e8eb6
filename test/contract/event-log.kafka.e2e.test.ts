import { type KafkaLogUnderTest, openKafkaLogUnderTest } from '../support/kafka-log.ts'
import { describeWithServers } from '../support/real-servers.ts'
import type { OpenedLog } from './event-log/adapter.ts'
import { describeEventLog } from './event-log.suite.ts'

interface OpenedKafkaLog extends OpenedLog {
  readonly kafka: KafkaLogUnderTest
}

/** Short, so that a fault is told within a test. */
const LIMITS = { deliveryMaxMs: 2_000 }

const openedOf = (kafka: KafkaLogUnderTest): OpenedKafkaLog => ({ kafka, log: kafka.log, openReader: kafka.open, dispose: kafka.dispose })

describeWithServers('with a real broker', () => {
  describeEventLog('kafka', {
    open: async () => openedOf(await openKafkaLogUnderTest(LIMITS)),
    reopen: async ({ kafka }) => {
      await kafka.close()
      return openedOf(await openKafkaLogUnderTest(LIMITS, kafka.options.topicPrefix))
    },
    failNextAppend: ({ kafka }) => kafka.faultNextAppend('refuse'),
    loseNextAnswer: ({ kafka }) => kafka.faultNextAppend('swallow'),
    holdAppends: ({ kafka }) => {
      kafka.proxy.set('hold')
      return () => kafka.proxy.set('pass')
    },
    truncate: async ({ kafka }, topic, upTo) => await kafka.truncate(topic, upTo),
  })
})
