import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

/** Writes into a store whose files may not grow beyond a limit, and tells what came of it. */
const WRITER = `
  import { createEmbeddedStore } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
  let unhandledCount = 0
  process.on('unhandledRejection', () => { unhandledCount += 1 })
  process.on('SIGXFSZ', () => {})
  const store = createEmbeddedStore({ folder: process.argv[1], role: 'writer', collections: [{ name: 'c-v1', indexes: [] }] })
  const codes = new Set()
  for (let offset = 0; offset < 400; offset++) {
    const write = { collection: 'c-v1', key: [String(offset)], position: { partition: 0, offset }, body: { text: 'x'.repeat(4_000) } }
    try { await store.write([write]) } catch (error) { codes.add(error.code) }
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  process.stdout.write(JSON.stringify({ codes: [...codes], unhandledCount }))
  process.exit(0)
`

test('a full disk ended the process: a write that the driver could not commit rejected a promise that nobody had', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-full-'))
  try {
    const limited = ['-c', 'ulimit -f 700; exec "$0" --input-type=module --eval "$1" "$2"', process.execPath, WRITER, join(folder, 'store')]
    // The driver writes each failure to the errors, too.
    const writer = spawn('bash', limited, { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    writer.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    await once(writer, 'close')
    expect(JSON.parse(output)).toEqual({ codes: ['STORE_UNAVAILABLE'], unhandledCount: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
