import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs one task in a fresh process, whose memory nothing else has used, and gives what it reports.
 *
 * @param {string} worker its file
 * @param {{ readonly name: string }} task
 */
export const inOwnProcess = async (worker, task) => {
  const child = fork(worker, [JSON.stringify(task)], { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  let result = null
  child.on('message', (message) => {
    result = message
  })
  const [code] = await ended
  if (result === null) throw new Error(`the task ${task.name} of ${worker} ended with code ${code} and without a result`)
  return result
}
