import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { describe, expect, test } from '@jest/globals'

const RUNTIME = new URL('../dist/index.js', import.meta.url).href
const CHILD_MAX_MS = 30_000

/** Steps back, starts a thread of its own and those of the file system, and tells the priorities of all. */
const tellingPriorities = (nice: number): string => `
  import { once } from 'node:events'
  import { readFileSync, readdirSync } from 'node:fs'
  import { readFile } from 'node:fs/promises'
  import { Worker } from 'node:worker_threads'
  import { yieldToServices } from '${RUNTIME}'

  const niceOf = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16])
  yieldToServices(${nice})
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
  await once(worker, 'online')
  await readFile('/proc/self/stat')
  console.log(JSON.stringify(readdirSync('/proc/self/task').map(niceOf)))
  await worker.terminate()
`

const prioritiesBehind = (nice: number): readonly number[] =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', tellingPriorities(nice)], {
      encoding: 'utf8',
      timeout: CHILD_MAX_MS,
      env: { PATH: process.env['PATH'] },
    }),
  )

/** Only Linux has priorities of threads. */
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip

describeOnLinux('a process that yields to services', () => {
  test('steps back with all its threads, those of the engine and those that it starts later', () => {
    const own = getPriority(process.pid)
    const priorities = prioritiesBehind(own + 3)
    expect(priorities.length).toBeGreaterThan(5)
    expect(new Set(priorities)).toEqual(new Set([own + 3]))
  })

  test('never steps in front of where it was started', () => {
    const own = getPriority(process.pid)
    expect(new Set(prioritiesBehind(own - 3))).toEqual(new Set([own]))
  })
})
