import { release } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from '@jest/globals'
import { cFunction } from './c-library.ts'
import { wakeFirst } from './wake-first.ts'

const TELL_THREAD = `
  const { parentPort } = require('node:worker_threads')
  parentPort.postMessage(Number(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1)))
  setInterval(() => {}, 1000)
`
const THIS_THREAD = 0
const SIZE = 48

/** Slice of a new thread, which asks for nothing, and of the one that starts it, nanoseconds. */
const slices = async (): Promise<{ readonly own: number; readonly ofNew: number }> => {
  const syscall = await cFunction('long syscall(long number, ...)')
  const sliceOf = (threadId: number): number => {
    const attributes = Buffer.alloc(SIZE)
    syscall(process.arch === 'x64' ? 315 : 275, 'int', threadId, 'void *', attributes, 'uint', SIZE, 'uint', 0)
    return Number(attributes.readBigUInt64LE(24))
  }
  const started = new Worker(TELL_THREAD, { eval: true })
  const threadId = await new Promise<number>((resolve) => started.once('message', resolve))
  const ofNew = sliceOf(threadId)
  await started.terminate()
  return { own: sliceOf(THIS_THREAD), ofNew }
}

/** Linux knows slices of threads from 6.12 on. */
const knowsSlices = (): boolean => {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) && (major > 6 || (major === 6 && minor >= 12))
}

describe('a thread that is to wake first', () => {
  test('has the shortest slice where the system knows slices, and others are left alone', async () => {
    const before = knowsSlices() ? (await slices()).own : 0
    const isTaken = await wakeFirst()
    if (!knowsSlices()) return
    expect(isTaken).toBe(true)
    expect(before).toBeGreaterThan(100_000)
    expect(await slices()).toEqual({ own: 100_000, ofNew: before })
  })
})
