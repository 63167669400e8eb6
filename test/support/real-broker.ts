import { describe } from '@jest/globals'
import { serverAddresses } from './real-servers.ts'

/** Tests against real servers run when this is 1, and then all of them must. */
const SWITCH = 'SWITCHYARD_TEST_REAL'

const isOn = process.env[SWITCH] === '1'

/** Address of a server of this test run, empty when the tests are not switched on. */
export const addressOf = (variable: 'SWITCHYARD_TEST_KAFKA_BROKER' | 'SWITCHYARD_TEST_SCHEMA_REGISTRY_URL'): string => {
  if (!isOn) return ''
  const { kafkaBrokers, schemaRegistryUrl } = serverAddresses()
  return variable === 'SWITCHYARD_TEST_KAFKA_BROKER' ? kafkaBrokers : schemaRegistryUrl
}

/** `describe`, where the tests need real servers; skipped by name when they are not switched on. */
export const describeReal: typeof describe | typeof describe.skip = isOn ? describe : describe.skip
