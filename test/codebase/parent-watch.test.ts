import { expect, test } from '@jest/globals'
import { createParentWatch } from '../../tools/parent-watch.mjs'

test('npm that was told to end leaves no service behind: it hands the signal to a shell that keeps it to itself', () => {
  let parent = 100
  let stops = 0
  const look = createParentWatch({ parentPid: () => parent, stop: () => stops++ })
  look()
  look()
  expect(stops).toBe(0)
  parent = 1
  look()
  look()
  expect(stops).toBe(1)
})
