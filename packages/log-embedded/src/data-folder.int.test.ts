import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createEmbeddedLog, type EmbeddedLog } from './embedded-log.ts'

const LOCK = 'owner.lock'

describe('the folder of an embedded log', () => {
  let folder = ''
  const open: EmbeddedLog[] = []

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'switchyard-folder-')), 'log')
  })
  afterEach(async () => {
    for (const log of open.splice(0)) await log.close()
    rmSync(join(folder, '..'), { recursive: true, force: true })
  })

  const owner = (partitionCount?: number): EmbeddedLog => {
    const log = createEmbeddedLog({ folder, role: 'owner', ...(partitionCount === undefined ? {} : { partitionCount }) })
    open.push(log)
    return log
  }
  const lockLines = (): string[] => readFileSync(join(folder, LOCK), 'utf8').split('\n')

  test('has one owner at a time, and a next one when that has closed', async () => {
    const first = owner()
    expect(() => owner()).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_IN_USE' }))
    await first.close()
    expect(readdirSync(folder)).not.toContain(LOCK)
    const second = owner()
    // Closing the first one again does not take the lock from the second.
    await first.close()
    expect(readdirSync(folder)).toContain(LOCK)
    expect(await second.endPosition('config', 'a')).toMatchObject({ offset: -1 })
  })

  test('is refused while another process owns it, and taken over when that was killed', async () => {
    await owner().close()
    const other = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 60_000)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(other.stdout, 'data')
    const stat = readFileSync(`/proc/${other.pid}/stat`, 'utf8')
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    writeFileSync(join(folder, LOCK), [other.pid, start, boot, 'token', ''].join('\n'))
    expect(() => owner()).toThrow(`in use by the process ${other.pid}`)
    const exited = once(other, 'exit')
    other.kill('SIGKILL')
    await exited
    owner()
    expect(lockLines()[0]).toBe(String(process.pid))
  })

  test.each([
    ['of a process that got the same id later', (lines: string[]) => lines.with(1, '1')],
    ['of before the machine was started again', (lines: string[]) => lines.with(2, 'another boot')],
    ['that was cut off by a crash', () => ['']],
  ])('with a lock %s is taken over', async (_, change) => {
    const log = owner()
    const lines = lockLines()
    await log.close()
    writeFileSync(join(folder, LOCK), change(lines).join('\n'))
    owner()
    expect(lockLines().slice(0, 3)).toEqual(lines.slice(0, 3))
    expect(readdirSync(folder).filter((name) => name.startsWith(LOCK))).toEqual([LOCK, `${LOCK}.held`])
  })

  test('was refused after its owner had been killed, until the parent of that had asked for its end', async () => {
    await owner().close()
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [pid] = String((await once(parent.stdout, 'data'))[0]).split('\n')
    const stateAndRest = () => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    }
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    writeFileSync(join(folder, LOCK), [pid, stateAndRest()[19], boot, 'token', ''].join('\n'))
    expect(() => owner()).toThrow(`in use by the process ${pid}`)
    process.kill(Number(pid), 'SIGKILL')
    while (stateAndRest()[0] !== 'Z') await nextTurn()
    owner()
    expect(lockLines()[0]).toBe(String(process.pid))
    parent.kill('SIGKILL')
  })

  test('a second owner in another container took the lock of one whose process it could not see', () => {
    owner()
    const lines = lockLines()
    // Where ids of processes are counted apart, that of the owner says nothing.
    writeFileSync(join(folder, LOCK), lines.with(0, '999999999').join('\n'))
    expect(() => owner()).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_IN_USE' }))
  })

  test('keeps the number of partitions that it was created with', async () => {
    const log = owner(7)
    expect((await log.endPositions('config')).size).toBe(7)
    await log.close()
    expect((await owner(3).endPositions('config')).size).toBe(7)
  })

  test.each([
    ['another product', '{"product":"other","content":"event-log","format":1,"partitionCount":4}'],
    ['a read store', '{"product":"switchyard","content":"read-store","format":1}'],
    ['a later format', '{"product":"switchyard","content":"event-log","format":2,"partitionCount":4}'],
    ['no number of partitions', '{"product":"switchyard","content":"event-log","format":1}'],
    ['no JSON', 'oops'],
    ['JSON of another kind', 'null'],
  ])('with a description of %s is left alone', (_, description) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'switchyard.json'), description)
    for (const role of ['owner', 'reader'] as const) {
      expect(() => createEmbeddedLog({ folder, role })).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN', retryable: false }))
    }
    expect(readdirSync(folder)).toEqual(['switchyard.json'])
  })

  test('that holds other files is left alone', () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    expect(() => owner()).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_FOREIGN' }))
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
  })

  test('that is the root of a mounted volume was refused for the lost+found in it', async () => {
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    await owner().close()
    owner()
    expect(readdirSync(folder)).toContain('lost+found')
  })

  test('with a lost+found beside other files is left alone', () => {
    mkdirSync(join(folder, 'lost+found'), { recursive: true })
    writeFileSync(join(folder, 'thesis.txt'), 'years of work')
    expect(() => owner()).toThrow('it holds other files (thesis.txt)')
  })

  test('that can not be created is named', () => {
    writeFileSync(join(folder, '..', 'file'), '')
    folder = join(folder, '..', 'file', 'log')
    expect(() => owner()).toThrow(expect.objectContaining({ code: 'DATA_FOLDER_UNWRITABLE' }))
    folder = join(folder, '..', '..', 'log')
  })

  test('on a disk that is full was a fault of the program, and each start left a file behind', () => {
    const opening = `
      import { createEmbeddedLog } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
      process.on('SIGXFSZ', () => {})
      try { createEmbeddedLog({ folder: process.argv[1], role: 'owner' }) } catch ({ code, cause }) { process.stdout.write(code + ' ' + cause.code) }
    `
    const limited = ['-c', 'ulimit -f 0; exec "$0" --input-type=module --eval "$1" "$2"', process.execPath, opening, folder]
    expect(spawnSync('bash', limited, { encoding: 'utf8' }).stdout).toBe('DATA_FOLDER_UNWRITABLE EFBIG')
    expect(readdirSync(folder)).toEqual(['owner.lock.held'])
  })

  test('with a copy of the records that broke off ended the process that read them; it is named, and what to do', async () => {
    const log = owner()
    await log.append('config', [{ key: 'm_1', value: Buffer.alloc(50_000), headers: { id: 'e_1', type: 't' } }])
    await log.close()
    truncateSync(join(folder, 'records', 'data.mdb'), 20_000)
    for (const role of ['owner', 'reader'] as const) {
      const cause = expect.objectContaining({ message: expect.stringMatching(/data\.mdb is cut off: .*; restore the whole data folder/) })
      expect(() => createEmbeddedLog({ folder, role })).toThrow(expect.objectContaining({ code: 'LOG_UNAVAILABLE', cause }))
    }
  })

  test('has no reader before its owner has created the log', () => {
    expect(() => createEmbeddedLog({ folder, role: 'reader' })).toThrow(
      expect.objectContaining({ code: 'LOG_UNAVAILABLE', retryable: true }),
    )
  })

  test('is not written by a reader', async () => {
    owner()
    const reader = createEmbeddedLog({ folder, role: 'reader' })
    open.push(reader)
    await expect(reader.append('config', [{ key: 'm_1', value: Buffer.from('v'), headers: { id: 'e_1', type: 't' } }])).rejects.toThrow(
      'only the owner',
    )
    await expect(reader.putChunks([])).rejects.toThrow('only the owner')
    await expect(reader.truncate('config', new Map())).rejects.toThrow('only the owner')
  })
})
