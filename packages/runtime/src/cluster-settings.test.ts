import { describe, expect, test } from '@jest/globals'
import { parseClusterSettings } from './cluster-settings.ts'

const BROKERS = 'kafka-1.internal:9092, kafka-2.internal:9092'

describe('settings of the cluster', () => {
  test('nothing set: the embedded engines', () => {
    expect(parseClusterSettings({})).toEqual({ settings: { kafka: undefined, schemaRegistry: undefined }, problems: [] })
  })

  test('brokers are enough', () => {
    expect(parseClusterSettings({ SWITCHYARD_KAFKA_BROKERS: BROKERS }).settings.kafka).toEqual({
      brokers: ['kafka-1.internal:9092', 'kafka-2.internal:9092'],
      tls: false,
      tlsCaFile: undefined,
      sasl: undefined,
      topicPrefix: 'switchyard',
      partitionCount: 12,
      replicationFactor: 3,
    })
  })

  test('a broker may have a name with underscores, as containers have', () => {
    const { settings, problems } = parseClusterSettings({ SWITCHYARD_KAFKA_BROKERS: 'payments_kafka_1:9092' })
    expect(problems).toEqual([])
    expect(settings.kafka?.brokers).toEqual(['payments_kafka_1:9092'])
  })

  test('one more comma at the end of the brokers was refused, unlike at the end of any other list', () => {
    expect(parseClusterSettings({ SWITCHYARD_KAFKA_BROKERS: `${BROKERS},` })).toMatchObject({
      settings: { kafka: { brokers: ['kafka-1.internal:9092', 'kafka-2.internal:9092'] } },
      problems: [],
    })
  })

  test.each(['plain', 'scram-sha-256', 'scram-sha-512'])('everything set, with %s', (mechanism) => {
    const env = {
      SWITCHYARD_KAFKA_BROKERS: 'localhost:1',
      SWITCHYARD_KAFKA_TLS: 'on',
      SWITCHYARD_KAFKA_TLS_CA_FILE: '/etc/ca.pem',
      SWITCHYARD_KAFKA_SASL_MECHANISM: mechanism,
      SWITCHYARD_KAFKA_SASL_USERNAME: 'ann',
      SWITCHYARD_KAFKA_SASL_PASSWORD: 'pw',
      SWITCHYARD_KAFKA_TOPIC_PREFIX: 'acme.switchyard',
      SWITCHYARD_KAFKA_PARTITIONS: '24',
      SWITCHYARD_KAFKA_REPLICATION: '1',
      SWITCHYARD_SCHEMA_REGISTRY_URL: 'https://registry.internal/ccompat',
      SWITCHYARD_SCHEMA_REGISTRY_USERNAME: 'bob',
      SWITCHYARD_SCHEMA_REGISTRY_PASSWORD: 'secret',
    }
    expect(parseClusterSettings(env)).toEqual({
      settings: {
        kafka: {
          brokers: ['localhost:1'],
          tls: true,
          tlsCaFile: '/etc/ca.pem',
          sasl: { mechanism, username: 'ann', password: 'pw' },
          topicPrefix: 'acme.switchyard',
          partitionCount: 24,
          replicationFactor: 1,
        },
        schemaRegistry: { url: 'https://registry.internal/ccompat', username: 'bob', password: 'secret' },
      },
      problems: [],
    })
  })

  test.each([
    ['SWITCHYARD_KAFKA_BROKERS', 'kafka-1'],
    ['SWITCHYARD_KAFKA_BROKERS', ' , '],
    ['SWITCHYARD_KAFKA_BROKERS', 'kafka-1:9092,kafka-2:90922'],
    ['SWITCHYARD_KAFKA_BROKERS', 'kafka-1:0'],
    ['SWITCHYARD_KAFKA_TLS', 'yes'],
    ['SWITCHYARD_KAFKA_SASL_MECHANISM', 'kerberos'],
    ['SWITCHYARD_KAFKA_TOPIC_PREFIX', 'a b'],
    ['SWITCHYARD_KAFKA_PARTITIONS', '0'],
    ['SWITCHYARD_KAFKA_REPLICATION', '99'],
    ['SWITCHYARD_SCHEMA_REGISTRY_URL', 'registry'],
    ['SWITCHYARD_SCHEMA_REGISTRY_URL', 'https://bob:secret@registry.internal/ccompat'],
  ])('%s can not be %j, and the value is not repeated', (name, value) => {
    const { problems } = parseClusterSettings({ [name]: value })
    expect(problems).toEqual([expect.stringContaining(name)])
    expect(problems[0]).not.toContain(`${value} `)
  })

  test.each([undefined, 'off'])('a file of certificates without encryption is refused (%s): brokers were spoken to in the clear', (tls) => {
    const given = { SWITCHYARD_KAFKA_BROKERS: 'a:9092', SWITCHYARD_KAFKA_TLS_CA_FILE: '/etc/ca.pem', SWITCHYARD_KAFKA_TLS: tls }
    expect(parseClusterSettings(given).problems).toEqual(['SWITCHYARD_KAFKA_TLS: must be on with SWITCHYARD_KAFKA_TLS_CA_FILE'])
  })

  test('SASL needs all of its three settings, the registry both of its, and each an address', () => {
    const sasl = { SWITCHYARD_KAFKA_SASL_MECHANISM: 'plain', SWITCHYARD_KAFKA_SASL_USERNAME: 'ann' }
    expect(parseClusterSettings({ SWITCHYARD_KAFKA_BROKERS: BROKERS, ...sasl }).problems).toEqual([
      expect.stringContaining('SWITCHYARD_KAFKA_SASL_PASSWORD: is required'),
    ])
    expect(parseClusterSettings({ SWITCHYARD_KAFKA_TLS: 'on' }).problems).toEqual([
      'SWITCHYARD_KAFKA_BROKERS: is required with SWITCHYARD_KAFKA_TLS',
    ])
    expect(parseClusterSettings({ SWITCHYARD_SCHEMA_REGISTRY_PASSWORD: 'pw' }).problems).toEqual([
      expect.stringContaining('SWITCHYARD_SCHEMA_REGISTRY_URL: is required'),
      expect.stringContaining('SWITCHYARD_SCHEMA_REGISTRY_USERNAME: is required'),
    ])
  })
})
