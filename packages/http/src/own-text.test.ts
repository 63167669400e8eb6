import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { SAMPLE_SUBJECT } from './credentials/sample-subject.fixture.ts'
import { createKeyLookup } from './gate/known-keys.ts'
import { createVerifiedTokens } from './gate/verified-tokens.ts'
import { requestTraceOf } from './server/trace-context.ts'

const HEAD_COUNT = 500
const HEAD_BYTES = 10_000

const heapBytes = (): number => {
  setFlagsFromString('--expose_gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Bytes that stay of each head when this was remembered of the text that begins it. */
const keptBytesOf = (remember: (text: string) => unknown): number => {
  const kept: unknown[] = []
  const before = heapBytes()
  for (let index = 0; index < HEAD_COUNT; index++) {
    const head = Buffer.from(`${index}`.padStart(64, '0').padEnd(HEAD_BYTES, 'a')).toString('latin1')
    kept.push(remember(head.slice(0, 64)))
  }
  const bytes = (heapBytes() - before) / kept.length
  // As long as it is measured.
  return remember('') === kept ? 0 : bytes
}

describe('what is remembered of a request holds on to no head', () => {
  const keyOf = () => ({
    keyId: 'k1',
    merchantId: 'm1',
    active: true,
    expiresAt: null,
    isCurrent: true,
    merchantPlace: undefined,
    notedInRound: 0,
  })

  test.each([
    ['an API key', createKeyLookup({ keyByHash: keyOf })],
    [
      'a session token',
      createVerifiedTokens({ verify: () => ({ ...SAMPLE_SUBJECT, sessionId: 's1', expiresAt: Number.MAX_SAFE_INTEGER }) }, () => 0).verify,
    ],
    ['a trace', (text: string) => requestTraceOf({ 'x-trace-id': text, 'x-global-request-id': text.slice(1) })],
  ])('%s', (_name, remember) => {
    expect(keptBytesOf(remember)).toBeLessThan(HEAD_BYTES / 2)
  })
})
