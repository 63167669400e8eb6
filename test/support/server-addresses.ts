import { readFileSync } from 'node:fs'

/** Where the servers of this test run are (infra/servers). */
export interface ServerAddresses {
  /** `host:port`, several separated by commas. */
  readonly kafkaBrokers: string
  /** Base URL of Confluent's API. */
  readonly schemaRegistryUrl: string
  readonly mongodbUri: string
}

/** The addresses of the servers; throws what kept them from starting, which names a missing tool and how to install it. */
export const serverAddresses = (): ServerAddresses => {
  const { SERVERS_FILE: file } = process.env
  if (file === undefined) throw new Error('the servers of the test run were not started: set SWITCHYARD_TEST_REAL=1')
  const { failure, addresses } = JSON.parse(readFileSync(file, 'utf8'))
  if (failure !== undefined) throw new Error(`the servers of the test run did not start: ${failure}`)
  return addresses
}
