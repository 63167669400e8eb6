import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parsePositionToken, positionToken } from './position-token.ts'

describe('position token', () => {
  test('names topic, partition and offset', () => {
    expect(positionToken('config', { partition: 2, offset: 17 })).toBe('config-2-17')
  })

  test('every token can be read back', () => {
    const positions = fc.record({ partition: fc.nat(999_999), offset: fc.nat({ max: 999_999_999_999_999 }) })
    fc.assert(
      fc.property(fc.constantFrom('config' as const, 'payments' as const), positions, (topic, position) => {
        expect(parsePositionToken(positionToken(topic, position))).toEqual({ topic, position })
      }),
    )
  })

  test.each([
    '',
    'config',
    'config-1',
    'prices-1-2',
    'config-1-2-3',
    'config--1-2',
    'config-1-2 ',
    'config-1-1e3',
    `config-1-${'9'.repeat(16)}`,
  ])('%j is malformed', (text) => {
    expect(parsePositionToken(text)).toBeUndefined()
  })
})
