import { OperatingError } from '@switchyard/kernel'
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { ANSWER_WAIT_MS, CONNECTION_COUNT_MAX, CONNECTION_WAIT_MS, MAJORITY_WAIT_MS, SERVER_SELECTION_MS } from './limits.ts'
import { assertNamedFiles } from './named-files.ts'

/** The database when the address names none. */
const DATABASE = 'switchyard'

const OPTIONS: MongoClientOptions = {
  appName: 'switchyard',
  // Acknowledged means durable: on disk at a majority. What is read can't be rolled back either.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: MAJORITY_WAIT_MS },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
  maxPoolSize: CONNECTION_COUNT_MAX,
  minPoolSize: 0,
  waitQueueTimeoutMS: CONNECTION_WAIT_MS,
  serverSelectionTimeoutMS: SERVER_SELECTION_MS,
  connectTimeoutMS: SERVER_SELECTION_MS,
  socketTimeoutMS: ANSWER_WAIT_MS,
  ignoreUndefined: true,
  promoteValues: true,
  promoteBuffers: true,
}

/** The database that the path of the address names. */
export const databaseIn = (uri: string): string => decodeURIComponent(/^[^/]*\/\/[^/?]+\/([^?]+)/.exec(uri)?.[1] ?? DATABASE)

const clientOf = (uri: string, options: MongoClientOptions): MongoClient => {
  try {
    return new MongoClient(uri, { ...OPTIONS, ...options })
  } catch {
    // The driver repeats the address, which may carry a password.
    const form = 'mongodb://user:password@host:port/database?options, reserved characters percent-encoded, options as the driver knows them'
    throw new OperatingError('SETTING_INVALID', `SWITCHYARD_MONGODB_URI: must have the form ${form}`, { retryable: false })
  }
}

/** A client that connects when it is first used. Throws `SETTING_INVALID` for what is no address of MongoDB, or names files that are of no use. */
export const createClient = (uri: string, options: MongoClientOptions = {}): MongoClient => {
  const client = clientOf(uri, options)
  assertNamedFiles(client.options)
  return client
}
