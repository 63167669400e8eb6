import { type KafkaLogUnderTest, openKafkaLogUnderTest } from '../support/kafka-log.ts'
import { addressOf, describeReal } from '../support/real-broker.ts'
import type { OpenedLog } from './event-log/adapter.ts'
import { describeEventLog } from './event-log.suite.ts'

interface OpenedKafkaLog extends OpenedLog {
  readonly kafka: KafkaLogUnderTest
}

const BROKER = addressOf('SWITCHYARD_TEST_KAFKA_BROKER')

/** Short, so that a fault is told within a test. */
const LIMITS = { deliveryMaxMs: 2_000 }

const openedOf = (kafka: KafkaLogUnderTest): OpenedKafkaLog => ({ kafka, log: kafka.log, openReader: kafka.open, dispose: kafka.dispose })

describeReal('with a real broker', () => {
  describeEventLog('kafka', {
    open: async () => openedOf(await openKafkaLogUnderTest(BROKER, LIMITS)),
    reopen: async ({ kafka }) => {
      await kafka.close()
      return openedOf(await openKafkaLogUnderTest(BROKER, LIMITS, kafka.options.topicPrefix))
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
