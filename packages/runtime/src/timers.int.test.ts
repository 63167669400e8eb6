import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'

const MANY = 20

/** Jest keeps warnings of a process from its tests. */
const said = async (module: string): Promise<string> => {
  const args = ['--import', './tools/typescript.mjs', '--input-type=module', '--eval', module]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } })
  return stdout + stderr
}

test('many pauses that one signal ends were told in the log of the process as a leak', async () => {
  const module = `
    import { pause, systemTimers } from ${JSON.stringify(new URL('./timers.ts', import.meta.url).href)}
    const ending = new AbortController()
    const pauses = Array.from({ length: ${MANY} }, () => pause(systemTimers, 60_000, ending.signal))
    setImmediate(() => ending.abort())
    await Promise.all(pauses)
    console.log('ended')
  `
  expect(await said(module)).toBe('ended\n')
})
