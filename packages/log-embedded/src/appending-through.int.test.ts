import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type LogRecord, type NewRecord, OperatingError } from '@switchyard/kernel'
import { createEmbeddedLog, type EmbeddedLog } from './embedded-log.ts'
import type { FramedChunk } from './framed-chunk.ts'

const record = (id: string): NewRecord => ({ key: 'm_1', value: Buffer.from(id), headers: { id, type: 't' }, event: { id } })
const idsOf = (records: readonly LogRecord[]): readonly string[] => records.map(({ headers }) => headers.id)

describe('a handle that appends through the owner', () => {
  let folder = ''
  let owner: EmbeddedLog
  let other: EmbeddedLog
  let sent: (readonly FramedChunk[])[] = []
  let refuse: Error | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-through-'))
    owner = createEmbeddedLog({ folder: join(folder, 'log'), role: 'owner' })
    sent = []
    refuse = undefined
    const through = async (chunks: readonly FramedChunk[]): Promise<readonly number[]> => {
      sent.push(chunks)
      if (refuse !== undefined) throw refuse
      return await owner.putChunks(structuredClone(chunks))
    }
    other = createEmbeddedLog({ folder: join(folder, 'log'), role: 'reader', through })
  })
  afterEach(async () => {
    await other.close()
    await owner.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const followed = (log: EmbeddedLog, count: number): Promise<readonly LogRecord[]> =>
    new Promise((resolve, reject) => {
      const seen: LogRecord[] = []
      log.subscribe({
        topic: 'payments',
        from: new Map(),
        onFailure: reject,
        handle: (records) => {
          seen.push(...records)
          if (seen.length >= count) resolve(seen)
        },
      })
    })

  test('shares its commit with what the owner appends when it hears of it', async () => {
    let isOwnWritten = false
    owner.onOpening(() => {
      void owner.append('payments', [record('of the owner')]).then(() => {
        isOwnWritten = true
      })
    })
    await other.append('payments', [record('of the other')])
    expect(isOwnWritten).toBe(true)
    expect(idsOf(await followed(owner, 2))).toEqual(['of the other', 'of the owner'])
  })

  test('what is appended in one turn goes as one message, each with its own positions', async () => {
    const [both, alone, more] = await Promise.all([
      other.append('payments', [record('a'), record('b')]),
      other.append('config', [record('c')]),
      other.append('payments', [record('d')]),
    ])
    expect(sent.map((chunks) => chunks.map(({ topic, recordCount }) => [topic, recordCount]))).toEqual([
      [
        ['payments', 3],
        ['config', 1],
      ],
    ])
    expect([both, alone, more].map((positions) => positions.map(({ offset }) => offset))).toEqual([[0, 1], [0], [2]])
  })

  test('bytes go without the buffer that they were framed in', async () => {
    await other.append('payments', [record('a')])
    const [chunk] = sent[0] ?? []
    expect(chunk?.bytes.buffer.byteLength).toBe(chunk?.bytes.byteLength)
  })

  test('its tail has its own events at hand, and reads those of others, all in the order of the log', async () => {
    const seen: LogRecord[] = []
    const seenAll = async (count: number): Promise<void> => {
      while (seen.length < count) await nextTurn()
    }
    other.subscribe({ topic: 'payments', from: new Map(), onFailure: () => {}, handle: (records) => void seen.push(...records) })
    await owner.append('payments', [record('a')])
    // A notice of others that comes between a commit and its answer has the tail read the store.
    await seenAll(1)
    await other.append('payments', [record('b'), record('c')])
    await owner.append('payments', [record('d')])
    await seenAll(4)
    await other.append('payments', [record('e')])
    await seenAll(5)
    expect(seen.map(({ headers, event }) => [headers.id, event !== undefined])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', false],
      ['e', true],
    ])
  })

  test('the tail of the owner reads them from their bytes', async () => {
    const seen = followed(owner, 2)
    await owner.append('payments', [record('a')])
    await other.append('payments', [record('b')])
    expect((await seen).map(({ headers, value, event }) => [headers.id, Buffer.from(value).toString(), event])).toEqual([
      ['a', 'a', { id: 'a' }],
      ['b', 'b', undefined],
    ])
  })

  test('what nobody follows is not kept: a tail that begins later reads the store', async () => {
    await owner.append('payments', [record('a')])
    await other.append('payments', [record('b')])
    for (const log of [owner, other]) expect((await followed(log, 2)).map(({ event }) => event)).toEqual([undefined, undefined])
  })

  test('what the owner takes in one turn stands in the order in which it came', async () => {
    await other.append('payments', [record('framed')])
    const again = sent[0] ?? []
    await Promise.all([owner.append('payments', [record('a')]), owner.putChunks(again), owner.append('payments', [record('b')])])
    expect(idsOf(await followed(owner, 4))).toEqual(['framed', 'a', 'framed', 'b'])
  })

  test('a refusal meets all that went together, with its code, and nothing of it stands in the log', async () => {
    refuse = new OperatingError('APPEND_BUFFER_FULL', 'full', { retryable: true })
    const refused = await Promise.allSettled([other.append('payments', [record('a')]), other.append('config', [record('b')])])
    expect(refused.map((result) => (result.status === 'rejected' ? result.reason : result))).toEqual([refuse, refuse])
    refuse = undefined
    expect(await other.append('payments', [record('c')])).toMatchObject([{ offset: 0 }])
  })
})
