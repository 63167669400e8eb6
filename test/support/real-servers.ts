import { readFileSync } from 'node:fs'
import { describe } from '@jest/globals'

/** Where the servers of this test run are (infra/servers). */
export interface ServerAddresses {
  /** `host:port`, several separated by commas. */
  readonly kafkaBrokers: string
  /** Base URL of Confluent's API. */
  readonly schemaRegistryUrl: string
  readonly mongodbUri: string
}

const areOn = process.env['SWITCHYARD_TEST_REAL'] === '1'

/** `describe` for tests that need real servers: switched on by SWITCHYARD_TEST_REAL=1, reported as skipped otherwise. */
export const describeWithServers: (name: string, define: () => void) => void = areOn ? describe : describe.skip

/** The addresses of the servers; throws what kept them from starting, which names a missing tool and how to install it. */
export const serverAddresses = (): ServerAddresses => {
  const { SERVERS_FILE: file } = process.env
  if (file === undefined) throw new Error('the servers of the test run were not started: set SWITCHYARD_TEST_REAL=1')
  const { failure, addresses } = JSON.parse(readFileSync(file, 'utf8'))
  if (failure !== undefined) throw new Error(`the servers of the test run did not start: ${failure}`)
  return addresses
}
