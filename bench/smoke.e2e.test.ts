import { expect, test } from '@jest/globals'
import { describeWithServers } from '../test/support/real-servers.ts'
import { serverAddresses } from '../test/support/server-addresses.ts'
import { BROKER_NAMES, SERVER_NAMES } from './benchmarks.mjs'
import { smokeRun } from './smoke-run.fixture.ts'

const BOUND_MS = 300_000

describeWithServers('every benchmark on real servers runs', () => {
  test.each([...BROKER_NAMES, ...SERVER_NAMES])(
    '%s',
    async (name) => {
      const broker = serverAddresses().kafkaBrokers.split(',')[0] ?? ''
      const printed = await smokeRun(name, { SWITCHYARD_TEST_KAFKA_BROKER: broker })
      expect(printed).toContain('Everything runs')
      expect(printed).not.toMatch(/NaN|undefined|Infinity/)
    },
    BOUND_MS,
  )
})
