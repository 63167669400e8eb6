import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

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
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-interrupted-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([1, 2, 3, 4, 5])(
  'a command that was interrupted in the middle of a write never ended, and kept the store from others (time %p)',
  async (time) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WRITER, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    setTimeout(() => child.kill('SIGTERM'), 37 * time)
    expect(await ended).toEqual([null, 'SIGTERM'])
    expect(output).toBe('writing cleaned')
  },
)
