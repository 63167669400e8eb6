import { describe, expect, test } from '@jest/globals'
import type { FeatureEnabled, HandoffCodeIssued, MerchantRegistered } from '@switchyard/events'
import { createKeySpace, type LogRecord } from '@switchyard/kernel'
import { VERSIONS_PER_KIND_MAX } from './limits.ts'
import { aggregateOf, createStreamFold, eventIdsOf, type FoldedSlice, fingerprintOf, type StreamFold } from './stream-fold.ts'

const features: FoldedSlice = {
  name: 'features',
  version: 1,
  initialState: [],
  folds: ['FeatureEnabled'],
  conflicts: 'by-version',
  evolve: (state: readonly string[], { data }: FeatureEnabled) => [...state, data.feature],
}

const enabled = (feature: string): FeatureEnabled => ({ type: 'FeatureEnabled', data: { merchantId: 'm_1', feature, at: 1 } })
const registered: MerchantRegistered = { type: 'MerchantRegistered', data: { merchantId: 'm_1', name: null, deciderInput: null, at: 1 } }

const recordAt = (offset: number, id: string, expectedVersion?: number): LogRecord => ({
  key: 'm_1',
  value: new Uint8Array(),
  headers: { id, type: 'x', ...(expectedVersion === undefined ? {} : { expectedVersion }) },
  position: { partition: 0, offset },
})

describe('stream fold', () => {
  test('an event decided on an outdated version has no effect (law 5)', () => {
    const fold = createStreamFold([features])
    expect(fold.apply(recordAt(0, 'a', 0), enabled('first'))).toBe('effective')
    expect(fold.apply(recordAt(1, 'b', 0), enabled('late'))).toBe('ineffective')
    expect(fold.apply(recordAt(2, 'c', 1), enabled('second'))).toBe('effective')
    expect(fold.stateOf('features', 'm_1')).toEqual(['first', 'second'])
    expect(fold.versionOf('m_1', 'feature-flags')).toBe(2)
  })

  test('versions are counted by aggregate', () => {
    const fold = createStreamFold([features])
    fold.apply(recordAt(0, 'a'), registered)
    expect(fold.apply(recordAt(1, 'b', 0), enabled('first'))).toBe('effective')
    expect(fold.versionOf('m_1', 'merchant')).toBe(1)
  })

  test('the events of a command stand and fall together', () => {
    const [first = '', second = ''] = eventIdsOf('beaten', 2)
    const fold = createStreamFold([features])
    fold.apply(recordAt(0, 'winner', 0), enabled('winner'))
    expect(fold.apply(recordAt(1, first, 0), enabled('beaten 1'))).toBe('ineffective')
    expect(fold.apply(recordAt(2, second, 1), enabled('beaten 2'))).toBe('ineffective')
    expect(fold.stateOf('features', 'm_1')).toEqual(['winner'])
  })

  test('they do so also when the state was stored between them', () => {
    const [first = '', second = ''] = eventIdsOf('beaten', 2)
    const before = createStreamFold([features])
    before.apply(recordAt(0, 'winner', 0), enabled('winner'))
    before.apply(recordAt(1, first, 0), enabled('beaten 1'))
    const { position, body } = before.documentOf('m_1')
    const after = createStreamFold([features])
    after.load('m_1', position, JSON.parse(JSON.stringify(body)))
    expect(after.apply(recordAt(2, second, 1), enabled('beaten 2'))).toBe('ineffective')
  })

  test('what a loaded state includes is passed by', () => {
    const before = createStreamFold([features])
    before.apply(recordAt(4, 'a', 0), enabled('first'))
    const { position, body } = before.documentOf('m_1')
    const after = createStreamFold([features])
    after.load('m_1', position, body)
    expect(after.apply(recordAt(4, 'a', 0), enabled('first'))).toBe('included')
    expect(after.apply(recordAt(5, 'b', 1), enabled('second'))).toBe('effective')
    expect(after.stateOf('features', 'm_1')).toEqual(['first', 'second'])
  })

  test('each hand-off code left its version behind for good: after some hundred thousand the stored state outgrew its document', () => {
    const grant = { email: null, permissions: [], grantLevel: 'merchant', grantId: 'm_1', expiresAt: 1, at: 1 }
    const issued = (codeHash: string): HandoffCodeIssued => ({ type: 'HandoffCodeIssued', data: { merchantId: 'm_1', codeHash, ...grant } })
    const versionsOf = (fold: StreamFold) => Object.keys(fold.documentOf('m_1').body.versions)
    const fold = createStreamFold([features])
    fold.apply(recordAt(0, 'a', 0), enabled('first'))
    const count = VERSIONS_PER_KIND_MAX + 3
    for (let code = 0; code < count; code++) fold.apply(recordAt(1 + code, `e_${code}`, 0), issued(`code_${code}`))
    expect(versionsOf(fold)).toHaveLength(VERSIONS_PER_KIND_MAX + 1)
    expect(fold.versionOf('m_1', aggregateOf(issued(`code_${count - 1}`)))).toBe(1)
    expect(fold.versionOf('m_1', aggregateOf(issued('code_0')))).toBe(0)
    expect(fold.versionOf('m_1', 'feature-flags')).toBe(1)
    // Which ones they are is the same wherever the state was loaded.
    const { position, body } = fold.documentOf('m_1')
    const loaded = createStreamFold([features])
    loaded.load('m_1', position, JSON.parse(JSON.stringify(body)))
    for (const each of [fold, loaded]) each.apply(recordAt(2 + count, 'last', 0), issued('last'))
    expect(versionsOf(loaded)).toEqual(versionsOf(fold))
  })

  test('a state keeps its identity until it changes', () => {
    const fold = createStreamFold([features])
    fold.apply(recordAt(0, 'a', 0), enabled('first'))
    const state = fold.stateOf('features', 'm_1')
    fold.apply(recordAt(1, 'b'), registered)
    fold.apply(recordAt(2, 'c', 0), enabled('late'))
    expect(fold.stateOf('features', 'm_1')).toBe(state)
  })

  test('slices whose states stand together fold and are stored as all others, in the order of the slices', () => {
    const slices = ['first', 'second', 'third'].map((name): FoldedSlice => ({ ...features, name }))
    const apart = createStreamFold(slices)
    const together = createStreamFold(slices, createKeySpace(), new Set(['third', 'first']))
    for (const fold of [apart, together]) fold.apply(recordAt(0, 'a', 0), enabled('on'))
    const { position, body } = together.documentOf('m_1')
    expect(Object.entries(body.states)).toEqual([
      ['first', ['on']],
      ['second', ['on']],
      ['third', ['on']],
    ])
    expect(JSON.stringify(body)).toBe(JSON.stringify(apart.documentOf('m_1').body))
    const loaded = createStreamFold(slices, createKeySpace(), new Set(['second']))
    loaded.load('m_1', position, { ...body, states: { first: ['on'], third: ['other'] } })
    expect(slices.map(({ name }) => loaded.stateOf(name, 'm_1'))).toEqual([['on'], undefined, ['other']])
  })

  test('aggregates with an id are told apart', () => {
    const revoked = (keyId: string) => aggregateOf({ type: 'ApiKeyRevoked', data: { merchantId: 'm_1', keyId, at: 1 } })
    expect(revoked('a')).not.toBe(revoked('b'))
  })

  test('another slice, another event folded or another way of conflicts is another fingerprint; the order is not', () => {
    const other: FoldedSlice = { ...features, name: 'other' }
    expect(fingerprintOf([features, other])).toBe(fingerprintOf([other, features]))
    const changed = [[features], [other], [{ ...features, folds: ['FeatureDisabled'] }], [{ ...features, conflicts: 'commute' as const }]]
    expect(new Set([...changed, [features, other]].map(fingerprintOf)).size).toBe(5)
  })
})
