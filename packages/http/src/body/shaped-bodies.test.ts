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

/** The same numbers in each run, 0 up to 1. */
const seeded = (): (() => number) => {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
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

  test.each([2, 3, 4, 8, 16, 17])('where each %dth had no shape, or one of its own, none of the others was learned', (every) => {
    for (const odd of [(id: number) => ({ id, name: `José ${id}` }), (id: number) => ({ [`name${id}`]: id })]) {
      const shaped = createShapedBodies(seeded())
      const how = [...Array(4_096).keys()].map((id) => readWith(shaped, id % every === 0 ? odd(id) : { id, name: 'a' }))
      expect(how.slice(-1_000).filter((one) => one === 'by shape').length).toBeGreaterThan(450)
    }
  })

  test('shapes of bodies that come once are hardly learned any more when there are enough', () => {
    let drawCount = 0
    const shaped = createShapedBodies(() => {
      drawCount += 1
      return 0
    })
    for (let id = 0; id < 1_000; id++) readWith(shaped, { [`name${id}`]: id })
    expect(drawCount).toBe(10)
  })

  test('large ones are parsed', () => {
    const shaped = createShapedBodies()
    const body = { text: 'x'.repeat(SHAPED_BODY_BYTES_MAX) }
    expect([readWith(shaped, body), readWith(shaped, body)]).toEqual(['parsed', 'parsed'])
  })
})
