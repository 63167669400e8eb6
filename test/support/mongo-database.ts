import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { serverAddresses } from './server-addresses.ts'

const AUTHORITY_AND_PATH = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/

/** The address of a database that nobody else uses, on the server of the test run. */
export const newMongoDatabase = (): string => serverAddresses().mongodbUri.replace(AUTHORITY_AND_PATH, `$1/test-${randomUUID()}`)

export const dropMongoDatabase = async (uri: string): Promise<void> => {
  const client = new MongoClient(uri)
  await client.db().dropDatabase()
  await client.close()
}
