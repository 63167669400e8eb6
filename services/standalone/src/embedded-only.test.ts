import { describe, expect, test } from '@jest/globals'
import { parseSettings } from '@switchyard/runtime'
import { assertEmbeddedOnly } from './embedded-only.ts'

describe('the standalone process', () => {
  test('takes settings without a cluster', () => {
    expect(() => assertEmbeddedOnly(parseSettings({}))).not.toThrow()
  })

  test.each([
    ['SWITCHYARD_KAFKA_BROKERS', 'localhost:9092'],
    ['SWITCHYARD_SCHEMA_REGISTRY_URL', 'http://localhost:8081'],
  ])('refuses %s instead of ignoring it', (name, value) => {
    expect(() => assertEmbeddedOnly(parseSettings({ [name]: value }))).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }))
    expect(() => assertEmbeddedOnly(parseSettings({ [name]: value }))).toThrow(name)
  })
})
