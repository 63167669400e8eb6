import { describe, expect, test } from '@jest/globals'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { createManualTimers } from '@switchyard/testing'
import { tellingLog, tellingStore } from './outages.ts'

const full = new OperatingError('STORE_UNAVAILABLE', 'the disk is full', { retryable: true })

const written = () => {
  const timers = createManualTimers()
  const lines: string[] = []
  const report = {
    info: (text: string) => lines.push(text),
    failed: (text: string, error: unknown) => lines.push(`${text}: ${String(error)}`),
  }
  return { timers, lines, telling: { report, timers } }
}

describe('a process that can not write is told', () => {
  test('a read store that could not be written was waited for without a word: the process was not ready, and nothing said why', async () => {
    const { timers, lines, telling } = written()
    const memory = createMemoryStore({ collections: [] })
    let isFull = true
    const store = tellingStore({ ...memory, write: (writes) => (isFull ? Promise.reject(full) : memory.write(writes)) }, telling)
    const attempt = (): Promise<unknown> => store.write([]).catch((error: unknown) => error)

    expect(await attempt()).toBe(full)
    timers.advance(2_999)
    await attempt()
    expect(lines).toEqual([])
    timers.advance(1)
    await attempt()
    await attempt()
    const said = "the read store can't be written; it is tried again until it can: OperatingError: the disk is full"
    expect(lines).toEqual([said])
    for (let passedMs = 0; passedMs < 120_000; passedMs += 20_000) {
      expect(lines).toEqual([said])
      timers.advance(20_000)
      await attempt()
    }
    expect(lines).toEqual([said, said])
    isFull = false
    expect(await attempt()).toEqual([])
    await attempt()
    expect(lines).toEqual([said, said, 'the read store is written again'])
  })

  test('a server that went away was told by nobody: what is projected is read before it is written, and waited for that', async () => {
    const { timers, lines, telling } = written()
    const memory = createMemoryStore({ collections: [{ name: 'c-v1', indexes: [] }] })
    const away = new OperatingError('STORE_UNAVAILABLE', 'no server', { retryable: true })
    let isAway = true
    const range: ReadStore['range'] = (query) => (isAway ? Promise.reject(away) : memory.range(query))
    const store = tellingStore({ ...memory, range }, telling)
    const attempt = (): Promise<unknown> =>
      store.range({ collection: 'c-v1', prefix: [], order: 'ascending', limit: 1 }).catch((error: unknown) => error)

    // Whoever starts says that it waits.
    await attempt()
    timers.advance(3_000)
    await attempt()
    expect(lines).toEqual([])
    isAway = false
    await attempt()
    isAway = true
    expect(await attempt()).toBe(away)
    timers.advance(3_000)
    await attempt()
    isAway = false
    expect(await attempt()).toEqual([])
    expect(lines).toEqual([
      "the read store can't be read; it is tried again until it can: OperatingError: no server",
      'the read store is read again',
    ])
  })

  test('documents that could not be written for a minute were waited for without a word, since others could', async () => {
    const { timers, lines, telling } = written()
    const memory = createMemoryStore({ collections: [{ name: 'c-v1', indexes: [] }] })
    let isStuck = true
    const writes = ['stuck', 'other'].map((key) => ({ collection: 'c-v1', key: [key], position: { partition: 0, offset: 0 }, body: {} }))
    const write: ReadStore['write'] = (batch) => (isStuck && batch[0]?.key[0] === 'stuck' ? Promise.reject(full) : memory.write(batch))
    const store = tellingStore({ ...memory, write }, telling)
    const attempts = async (): Promise<void> => {
      for (const each of writes) await store.write([each]).catch(() => {})
    }

    await attempts()
    timers.advance(3_000)
    await attempts()
    await attempts()
    const said = "the read store can't be written; it is tried again until it can: OperatingError: the disk is full"
    expect(lines).toEqual([said])
    isStuck = false
    await attempts()
    expect(lines).toEqual([said, 'the read store is written again'])
  })

  test('a call that nobody makes again is over when others are answered', async () => {
    const { timers, lines, telling } = written()
    const memory = createMemoryStore({ collections: [{ name: 'c-v1', indexes: [] }] })
    const get: ReadStore['get'] = (collection, key) => (key[0] === 'stuck' ? Promise.reject(full) : memory.get(collection, key))
    const store = tellingStore({ ...memory, get }, telling)
    const attempt = (key: string): Promise<unknown> => store.get('c-v1', [key]).catch(() => {})

    await attempt('other')
    for (const passedMs of [0, 3_000]) {
      timers.advance(passedMs)
      await attempt('stuck')
      await attempt('other')
    }
    timers.advance(30_000)
    await attempt('other')
    const said = ["the read store can't be read; it is tried again until it can: OperatingError: the disk is full"]
    expect(lines).toEqual(said)
    timers.advance(1)
    await attempt('other')
    expect(lines).toEqual([...said, 'the read store is read again'])
  })

  test('decisions waited for a log that could not be written without a word', async () => {
    const { timers, lines, telling } = written()
    const memory = createMemoryLog()
    const log = tellingLog({ ...memory, append: () => Promise.reject(full) }, telling)
    for (const passedMs of [0, 3_000]) {
      timers.advance(passedMs)
      await expect(log.append('payments', [])).rejects.toBe(full)
    }
    expect(lines).toEqual(["the event log can't be written; it is tried again until it can: OperatingError: the disk is full"])
    await memory.close()
  })
})
