import { describe, expect, test } from '@jest/globals'
import { bodyText, headerPairs } from './answer-text.ts'

describe('bodies as text', () => {
  test('UTF-8 stays, also with a byte order mark', () => {
    expect(bodyText(Buffer.from('{"ä":"€"}'), 'whole')).toBe('{"ä":"€"}')
    expect(bodyText(Buffer.from('\ufeffok'), 'whole')).toBe('\ufeffok')
    expect(bodyText(Buffer.alloc(0), 'whole')).toBe('')
  })

  test('bytes that are no text are a data URL', () => {
    expect(bodyText(Buffer.from([0xff, 0xfe, 0]), 'whole')).toBe('data:;base64,//4A')
    expect(bodyText(Buffer.from('a€').subarray(0, 2), 'whole')).toBe('data:;base64,YeI=')
  })

  test('a character that the cap cut in two is left out', () => {
    expect(bodyText(Buffer.from('a€').subarray(0, 2), 'cut')).toBe('a')
    expect(bodyText(Buffer.from([0xff, 0xfe, 0]), 'cut')).toBe('data:;base64,//4A')
  })
})

test('headers keep order, case and repetition; what is not ASCII is a data URL', () => {
  const raw = ['X-B', '1', 'x-a', '2', 'X-B', '3'].map((text) => Buffer.from(text))
  expect(headerPairs([...raw, Buffer.from('x-c'), Buffer.from('é')])).toEqual([
    ['X-B', '1'],
    ['x-a', '2'],
    ['X-B', '3'],
    ['x-c', 'data:;base64,w6k='],
  ])
})
