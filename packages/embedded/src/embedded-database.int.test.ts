import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts'

/** Opens the database as a process of its own, and says so. */
const OPENER = `
  import { openEmbeddedDatabase } from ${JSON.stringify(new URL('../dist/embedded-database.js', import.meta.url).href)}
  process.stdout.write('opening ')
  const database = openEmbeddedDatabase(process.argv[1], {})
  process.stdout.write(database.root.get('key') ?? 'nothing')
  await database.close()
`

/** Longer than a process takes that need not wait. */
const HELD_MS = 500

let folder: string
let database: EmbeddedDatabase<string, string>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-database-'))
  database = openEmbeddedDatabase(folder, {})
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

describe('a database that others open while it is written to', () => {
  test('a commit was lost when another process opened the database meanwhile', async () => {
    let output = ''
    await database.write(async () => {
      const opener = spawn(process.execPath, ['--input-type=module', '--eval', OPENER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      opener.stdout.on('data', (chunk) => {
        output += String(chunk)
      })
      opener.once('close', () => {
        output += ' closed'
      })
      await once(opener.stdout, 'data')
      await delay(HELD_MS)
      expect(output).toBe('opening ')
      await database.root.put('key', 'written')
    })
    for (let round = 0; round < 100 && !output.endsWith('closed'); round++) await delay(50)
    expect(output).toBe('opening written closed')
  })

  test('a thread that has it open already opens it again beside its own write', async () => {
    await database.write(async () => {
      const again = openEmbeddedDatabase<string, string>(folder, {})
      await database.root.put('key', 'written')
      again.root.resetReadTxn()
      expect(again.root.get('key')).toBe('written')
      await again.close()
    })
  })

  test('one that was opened again while it was being closed was opened beside the write of another thread', async () => {
    const isWritten = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const writer = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       const { setTimeout: delay } = require('node:timers/promises')
       import(workerData.gate).then(({ createOpeningGate }) => createOpeningGate(workerData.folder).write(async () => {
         parentPort.postMessage('writing')
         await delay(${HELD_MS})
         workerData.isWritten[0] = 1
       }))`,
      { eval: true, workerData: { folder, isWritten, gate: new URL('../dist/opening-gate.js', import.meta.url).href } },
    )
    await once(writer, 'message')
    const closed = database.close()
    database = openEmbeddedDatabase(folder, {})
    expect(isWritten[0]).toBe(1)
    await closed
    await writer.terminate()
  })

  test('a write rejects with the cause that the driver hides in its error', async () => {
    const cause = new Error('disk full')
    const told = Object.assign(new Error('commit failed'), { commitError: Promise.reject(cause) })
    await expect(database.write(async () => await Promise.reject(told))).rejects.toBe(cause)
  })
})
