import { expect, test } from '@jest/globals'
import { USAGE } from './usage.ts'

test('the help of replay names every topic that it takes', () => {
  expect(USAGE).toContain('replay --topic <config|payments|webhooks|costs> ')
})
