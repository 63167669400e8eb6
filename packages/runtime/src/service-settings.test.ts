import { describe, expect, test } from '@jest/globals'
import { parseServiceSettings } from './service-settings.ts'

const SERVERS = {
  SWITCHYARD_KAFKA_BROKERS: 'kafka-1.internal:9092',
  SWITCHYARD_SCHEMA_REGISTRY_URL: 'http://registry.internal/ccompat/v7',
  SWITCHYARD_MONGODB_URI: 'mongodb://mongo.internal/switchyard',
}
const SECRET = 'j'.repeat(32)

describe('settings of a service', () => {
  test('every server has to be named, and the secret that all services share', () => {
    const told = (): unknown => parseServiceSettings({})
    for (const name of [...Object.keys(SERVERS), 'SWITCHYARD_JWT_SECRET']) expect(told).toThrow(`${name}: is required`)
    expect(parseServiceSettings({ ...SERVERS, SWITCHYARD_JWT_SECRET: SECRET })).toMatchObject({
      kafka: { brokers: ['kafka-1.internal:9092'] },
      schemaRegistry: { url: SERVERS.SWITCHYARD_SCHEMA_REGISTRY_URL },
      mongodbUri: SERVERS.SWITCHYARD_MONGODB_URI,
      jwtSecret: SECRET,
    })
  })

  test('one that answers health alone needs no secret, also in production', () => {
    expect(parseServiceSettings({ ...SERVERS, NODE_ENV: 'production' }, { answers: 'health' }).jwtSecret).toBe('')
    expect(() => parseServiceSettings({ ...SERVERS, NODE_ENV: 'production' })).toThrow('SWITCHYARD_ADMIN_SECRET')
  })

  test.each([
    ['SWITCHYARD_DATA_DIR', './data'],
    ['SWITCHYARD_COLOUR', 'red'],
    ['SWITCHYARD_WORKERS', '2'],
  ])('%s is refused', (name, value) => {
    expect(() => parseServiceSettings({ ...SERVERS, SWITCHYARD_JWT_SECRET: SECRET, [name]: value })).toThrow(name)
  })
})
