import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createNewId } from './uuid-v7.ts'

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

describe('ids of version 7', () => {
  test('carry the time, the version and the variant', () => {
    const id = createNewId(() => 1_700_000_000_123, randomBytes)()
    expect(id).toMatch(FORM)
    expect(timeOf(id)).toBe(1_700_000_000_123)
  })

  test('grow and never repeat within a millisecond, and when the clock goes back', () => {
    let ms = 1_700_000_000_000
    const newId = createNewId(() => ms, randomBytes)
    const ids = Array.from({ length: 30_000 }, (_, i) => {
      ms += i % 1_000 === 0 ? 1 : 0
      ms -= i === 20_500 ? 60_000 : 0
      return newId()
    })
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => FORM.test(id))).toBe(true)
  })

  test('a full counter moves on to the next millisecond', () => {
    const newId = createNewId(
      () => 1_000,
      (count) => new Uint8Array(count).fill(0xff),
    )
    const first = newId()
    expect(newId() > first).toBe(true)
    expect(timeOf(newId())).toBe(1_000)
  })
})
