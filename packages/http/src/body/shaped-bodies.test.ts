import { describe, expect, test } from '@jest/globals'
import { SHAPED_BODY_BYTES_MAX } from '../limits.ts'
import { parseJson } from './parse-json.ts'
import { createShapedBodies, type ShapedBodies } from './shaped-bodies.ts'

/** As a route reads a body; tells whether its shape was known. */
const readWith = (shaped: ShapedBodies, body: unknown): 'by shape' | 'parsed' => {
  const bytes = Buffer.from(JSON.stringify(body))
  const known = shaped.read(bytes)
  if (known === undefined) {
    expect(parseJson(bytes)).toEqual({ ok: true, value: body })
    shaped.learn(bytes)
    return 'parsed'
  }
  expect(known).toEqual(body)
  return 'by shape'
}

describe('bodies of a route', () => {
  test('the second one of a client is read by the shape of the first', () => {
    const shaped = createShapedBodies()
    expect([1, 2, 3].map((id) => readWith(shaped, { id }))).toEqual(['parsed', 'by shape', 'by shape'])
  })

  test('several clients, each in its own words', () => {
    const shaped = createShapedBodies()
    const bodies = [...Array(500).keys()].map((id) => ({ [`name${id % 5}`]: id, same: true }))
    const how = bodies.map((body) => readWith(shaped, body))
    expect(how.slice(-100)).toEqual(new Array(100).fill('by shape'))
  })

  test('where hardly one is like another, shapes rest, and are tried again later', () => {
    const shaped = createShapedBodies()
    for (let id = 0; id < 1_100; id++) readWith(shaped, { [`name${id}`]: id })
    const alike = [...Array(2_000).keys()].map((id) => readWith(shaped, { id }))
    expect([alike[0], alike[500], alike.at(-1)]).toEqual(['parsed', 'parsed', 'by shape'])
  })

  test('large ones are parsed', () => {
    const shaped = createShapedBodies()
    const body = { text: 'x'.repeat(SHAPED_BODY_BYTES_MAX) }
    expect([readWith(shaped, body), readWith(shaped, body)]).toEqual(['parsed', 'parsed'])
  })
})
