import { describe } from '@jest/globals'

const areOn = process.env['SWITCHYARD_TEST_REAL'] === '1'

/** `describe` for tests that need real servers: switched on by SWITCHYARD_TEST_REAL=1, reported as skipped otherwise. */
export const describeWithServers: (name: string, define: () => void) => void = areOn ? describe : describe.skip
