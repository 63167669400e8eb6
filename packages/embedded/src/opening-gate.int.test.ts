import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openFileLock } from './file-lock.ts'
import { GATE_WAIT_MAX_MS } from './limits.ts'
import { createOpeningGate, type OpeningGate } from './opening-gate.ts'

let folder: string
let gates: OpeningGate[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-gate-'))
  gates = []
})
afterEach(() => {
  for (const gate of gates) gate.close()
  rmSync(folder, { recursive: true })
})

/** Another handle of the gate, as of another thread or process: the locks are those of handles. */
const gateOf = (): OpeningGate => {
  const gate = createOpeningGate(folder)
  gates.push(gate)
  return gate
}

/** A write that lasts until it is ended. */
const startWrite = (gate: OpeningGate) => {
  let end = (): void => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, ended: gate.write(async () => await held) }
}

const never = (): never => {
  throw new Error('not before the other one has ended')
}

describe('the gate between opening a database and writing to it', () => {
  test('several handles write at a time, and say what came of it', async () => {
    const [one, other] = [gateOf(), gateOf()]
    const first = startWrite(one)
    expect(await other.write(async () => 'other')).toBe('other')
    expect(other.writeNow(() => 'now')).toBe('now')
    await expect(other.write(async () => await Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
    first.end()
    await first.ended
    expect(gateOf().open(() => 'opened')).toBe('opened')
  })

  test('writes wait while another handle opens, and are begun in their order', async () => {
    const [opening, writing] = [gateOf(), gateOf()]
    const begun: number[] = []
    const writes = opening.open(() => [1, 2, 3].map((number) => writing.write(async () => void begun.push(number))))
    expect(begun).toEqual([])
    await Promise.all(writes)
    expect(begun).toEqual([1, 2, 3])
  })

  test(
    'a write waited as long behind each other one that waited in vain',
    async () => {
      const opening = openFileLock(join(folder, 'opening-queue.lock'))
      expect(opening.tryAlone()).toBe(true)
      const writing = gateOf()
      const all = [1, 2, 3].map(async () => await writing.write(async () => {}))
      let endedCount = 0
      for (const one of all) one.catch(() => (endedCount += 1))
      await expect(all[0]).rejects.toThrow('a process that was stopped')
      await Promise.allSettled(
        all.slice(1).map(async (one) => await Promise.race([one, delay(GATE_WAIT_MAX_MS / 2, undefined, { ref: false })])),
      )
      expect(endedCount).toBe(3)
      opening.close()
    },
    3 * GATE_WAIT_MAX_MS,
  )

  test('a gate with one lock that can not be opened kept the other one open', () => {
    mkdirSync(join(folder, 'opening.lock'))
    const openCount = (): number => readdirSync('/proc/self/fd').length
    const before = openCount()
    for (let time = 0; time < 20; time++) expect(gateOf).toThrow('EISDIR')
    expect(openCount()).toBe(before)
  })

  test('what failed to open lets the next one in', () => {
    expect(() => gateOf().open(never)).toThrow('not before')
    expect(gateOf().open(() => 'opened')).toBe('opened')
  })

  describe('beside one who waits for its turn to open', () => {
    let opener: Worker
    let isOpened: boolean
    beforeEach(() => {
      isOpened = false
      opener = new Worker(
        `const { parentPort, workerData } = require('node:worker_threads')
         parentPort.once('message', async () => {
           const { createOpeningGate } = await import(workerData.gate)
           const gate = createOpeningGate(workerData.folder)
           parentPort.postMessage('opening')
           gate.open(() => parentPort.postMessage('opened'))
         })`,
        { eval: true, workerData: { folder, gate: new URL('../dist/opening-gate.js', import.meta.url).href } },
      )
    })
    afterEach(async () => {
      await opener.terminate()
    })
    const startOpening = async (): Promise<void> => {
      opener.postMessage('open')
      await once(opener, 'message')
      opener.once('message', () => {
        isOpened = true
      })
      // Long enough that it stands in the queue.
      await delay(100)
      expect(isOpened).toBe(false)
    }

    test('it gets its turn, although there always is a handle that writes', async () => {
      const handles = [gateOf(), gateOf()]
      let writes = handles.map(startWrite)
      await startOpening()
      for (let round = 0; round < 2_000 && !isOpened; round++) {
        const [oldest] = writes
        const next = startWrite(handles[round % 2] ?? gateOf())
        await delay(1)
        oldest?.end()
        writes = [...writes.slice(1), next]
      }
      expect(isOpened).toBe(true)
      for (const { end } of writes) end()
      await Promise.all(writes.map(({ ended }) => ended))
    })

    test('a write that holds its thread up waited for one who waited for another write of the same thread', async () => {
      const gate = gateOf()
      const first = startWrite(gate)
      await delay(0)
      await startOpening()
      expect(gate.writeNow(() => 'now')).toBe('now')
      first.end()
      await first.ended
      for (let round = 0; round < 2_000 && !isOpened; round++) await delay(1)
      expect(isOpened).toBe(true)
    })
  })
})
