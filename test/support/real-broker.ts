import { describe } from '@jest/globals'

/** Tests against real servers run when this is 1, and then all of them must. */
const SWITCH = 'SWITCHYARD_TEST_REAL'

const isOn = process.env[SWITCH] === '1'

/** Address of a server from the environment; the tests fail without it when they are switched on. */
export const addressOf = (variable: string): string => {
  const address = process.env[variable] ?? ''
  if (isOn && address === '') throw new Error(`${SWITCH} is on, but ${variable} names no server`)
  return address
}

/** `describe`, where the tests need real servers; skipped by name when they are not switched on. */
export const describeReal: typeof describe | typeof describe.skip = isOn ? describe : describe.skip
