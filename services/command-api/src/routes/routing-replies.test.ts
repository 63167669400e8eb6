import { describe, expect, test } from '@jest/globals'
import type { StoredAlgorithm } from '@switchyard/routing'
import { printRecord } from './routing-replies.ts'

const at = Date.UTC(2031, 1, 3, 4, 5)
const stored = { id: 'r1', name: 'n', description: '', purpose: 'PAYMENT', createdAt: at, modifiedAt: at } as const
const record = (kind: StoredAlgorithm['kind'], definition: string): object => printRecord('m_1', { ...stored, kind, definition })

describe('a listed algorithm', () => {
  test.each(['not JSON', 'null', '{"form":"of a later release"}', '{}'])(
    'whose definition this release can not read made the whole list fail: it has no data: %s',
    (definition) => expect(record('SINGLE', definition)).toMatchObject({ id: 'r1', name: 'n', algorithm_data: null }),
  )

  test.each([
    '{"globals":[],"defaultSelection":{"form":"of a later release"},"rules":[],"metadata":null}',
    '{"globals":[{"name":"g","values":[{"type":"of a later release"}]}],"defaultSelection":{"form":"priority","connectors":[]},"rules":[]}',
  ])('nor has a program with a part of a later release: %s', (definition) =>
    expect(record('ADVANCED', definition)).toMatchObject({ id: 'r1', algorithm_data: null }),
  )

  test('of a kind of a later release has none either, and one that can be read shows it', () => {
    expect(record('UNKNOWN', '?')).toMatchObject({ algorithm_data: null })
    expect(record('PRIORITY', '{"form":"priority","connectors":[]}')).toMatchObject({ algorithm_data: { type: 'priority', data: [] } })
  })
})
