import { describeWithServers } from '../test/support/real-servers.ts'
import { serverAddresses } from '../test/support/server-addresses.ts'
import { BROKER_NAMES, SERVER_NAMES } from './benchmarks.mjs'
import { testSmokeRuns } from './smoke-run.fixture.ts'

describeWithServers('every benchmark on real servers runs', () => {
  testSmokeRuns([...BROKER_NAMES, ...SERVER_NAMES], () => ({
    SWITCHYARD_TEST_KAFKA_BROKER: serverAddresses().kafkaBrokers.split(',')[0] ?? '',
  }))
})
