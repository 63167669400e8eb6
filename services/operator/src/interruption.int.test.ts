import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'

/** Writes into a store without end, as a rebuild does. */
const WRITER = `
  import { endWhenInterrupted } from ${JSON.stringify(new URL('../dist/interruption.js', import.meta.url).href)}
  import { createEmbeddedStore } from '@switchyard/store-embedded'
  endWhenInterrupted(() => process.stdout.write('cleaned'))
  const store = createEmbeddedStore({ folder: process.argv[1], collections: [{ name: 'things', indexes: [] }], role: 'writer' })
  process.stdout.write('writing ')
  for (let offset = 0; ; offset++) {
    const position = { partition: 0, offset }
    await store.write(Array.from({ length: 500 }, (_, key) => ({ collection: 'things', key: [String(key)], position, body: { offset } })))
  }
`

let folder = ''
let child: ChildProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-interrupted-'))
})
// One that hangs would outlive its test.
afterEach(() => void child?.kill('SIGKILL'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([1, 2, 3, 4, 5])(
  'a command that was interrupted in the middle of a write never ended, and kept the store from others (time %p)',
  async (time) => {
    const started = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    })
    child = started
    let output = ''
    started.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    const ended = once(started, 'close')
    await once(started.stdout, 'data')
    setTimeout(() => started.kill('SIGTERM'), 37 * time)
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(output).toBe('writing cleaned')
  },
)
