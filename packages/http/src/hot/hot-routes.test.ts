import { describe, expect, test } from '@jest/globals'
import type { RouteSpec } from '../route.ts'
import { echo } from '../server/sample-server.fixture.ts'
import { createFindHotRoute } from './hot-routes.ts'

const post = (path: string, differences: Partial<RouteSpec> = {}) => echo({ method: 'POST', hot: true, path, ...differences })

describe('hot routes by path', () => {
  const find = createFindHotRoute([post('/decide'), post('/of/:merchantId/events'), post('/cold', { hot: false })])

  test.each([
    ['/decide', '/decide', {}],
    ['/of/m_1/events', '/of/:merchantId/events', { merchantId: 'm_1' }],
    ['/of/A.b~c-9/events', '/of/:merchantId/events', { merchantId: 'A.b~c-9' }],
  ])('%s is one', (path, pattern, params) => {
    const found = find(path)
    expect([found?.route.spec.path, found?.params]).toEqual([pattern, params])
  })

  test.each([
    '/cold',
    '/decide/',
    '/decide?x=1',
    '/of//events',
    '/of/a%20b/events',
    '/of/m_1/events/',
    '/of/a/b/events',
    '/Of/m_1/events',
    '',
  ])('%j is left to Express', (path) => expect(find(path)).toBeUndefined())

  test('one that would hide another route is refused, and so is another method', () => {
    expect(() => createFindHotRoute([post('/of/:merchantId/events'), post('/of/all/events', { hot: false })])).toThrow('/of/all/events')
    expect(() => createFindHotRoute([post('/decide', { method: 'PUT' })])).toThrow('/decide')
  })
})
