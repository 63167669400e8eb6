import { expect, test } from '@jest/globals'
import { createLook } from './look.ts'

const TURNS_MAX = 12

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

test('who asked just as a look ended was looked after only when somebody else asked', async () => {
  for (let delay = 0; delay < TURNS_MAX; delay++) {
    let lookCount = 0
    const look = createLook(
      async () => {
        lookCount += 1
      },
      () => {},
    )
    look.wake()
    await turns(delay)
    const before = lookCount
    look.wake()
    await turns(TURNS_MAX)
    expect({ delay, isLookedAfter: lookCount > before }).toEqual({ delay, isLookedAfter: true })
    await look.end()
  }
})
