import { describe, expect, test } from '@jest/globals'
import { OperatingError, type SchemaIds } from '@switchyard/kernel'
import { parseServiceSettings } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { type ClusterAdapters, openCluster } from './cluster.ts'

const SETTINGS = parseServiceSettings(
  {
    SWITCHYARD_KAFKA_BROKERS: 'kafka-1.internal:9092,kafka-2.internal:9092',
    SWITCHYARD_SCHEMA_REGISTRY_URL: 'https://registry.internal/api?token=hidden',
    SWITCHYARD_MONGODB_URI: 'mongodb://ann:p%40ss@mongo.internal:27017/payments',
  },
  { answers: 'health' },
)

const refused = new OperatingError('SETTING_INVALID', 'refused', { retryable: false })

const opening = async (adapters: Partial<ClusterAdapters<SchemaIds>>) => {
  const lines: string[] = []
  const report = { info: (text: string) => void lines.push(text), failed: (text: string) => void lines.push(text) }
  const all: ClusterAdapters<SchemaIds> = {
    openLog: () => Promise.reject(refused),
    openSchemaIds: () => Promise.reject(refused),
    learningLog: (log) => log,
    learningHandle: (_, handle) => handle,
    createStore: ({ collections }) => createMemoryStore({ collections }),
    ...adapters,
  }
  const failure = await openCluster(all, { name: 'projector', store: 'writer' }, SETTINGS, { report }).catch((error: unknown) => error)
  return { lines, failure }
}

describe('a service that opens its engines', () => {
  test('waited for the registry and the brokers before it refused an address of MongoDB that is none', async () => {
    const { failure, lines } = await opening({
      createStore: () => {
        throw refused
      },
      openSchemaIds: () => new Promise(() => {}),
    })
    expect([failure, lines]).toEqual([refused, []])
  })

  test('says whom it waits for, without what may be secret', async () => {
    let attempts = 0
    const { lines } = await opening({
      openSchemaIds: () =>
        Promise.reject(attempts++ === 0 ? new OperatingError('SCHEMA_UNAVAILABLE', 'away', { retryable: true }) : refused),
    })
    expect(lines).toEqual(['the schema registry does not answer; the start waits for it at https://registry.internal'])
  })
})
