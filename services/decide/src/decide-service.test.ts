import { describe, expect, test } from '@jest/globals'
import { sampleService } from './sample-service.fixture.ts'

describe('decide service', () => {
  test('its routes are hot, of the protected gate, and bound to the merchant that the body names', () => {
    const rows = sampleService().routes.map(({ spec: { method, path, hot, access, permission, merchant } }) => [
      `${method} ${path}`,
      hot,
      access,
      permission,
      merchant?.name,
      merchant?.whenUnknown,
    ])
    expect(rows).toEqual([
      ['POST /decide-gateway', true, 'protected', 'routing:write', 'merchantId', 'not-found'],
      ['POST /update-gateway-score', true, 'protected', 'routing:write', 'merchantId', 'not-found'],
      ['POST /routing/evaluate', true, 'protected', 'routing:read', 'created_by', 'allowed'],
    ])
  })
})
