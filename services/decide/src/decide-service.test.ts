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
      ['POST /routing/hybrid', true, 'protected', 'routing:write', undefined, undefined],
      ['POST /update-gateway-score/batch', false, 'protected', 'routing:write', undefined, undefined],
      ['POST /decision_gateway', false, 'protected', 'routing:write', undefined, undefined],
      ['POST /update-score', false, 'protected', 'routing:write', undefined, undefined],
      ['GET /gsm/options', false, 'protected', 'routing:read', undefined, undefined],
      ['POST /gateway-score/reset', false, 'protected', 'routing:write', undefined, undefined],
    ])
  })
})
