import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('./reference-server.mjs', import.meta.url))

/**
 * Starts the bare server in a process of its own.
 *
 * @param {number} answerBytes
 */
export const startReference = async (answerBytes) => {
  const child = spawn(process.execPath, [SERVER, String(answerBytes)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return {
    port: Number(String(line).trim()),
    pid: child.pid,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
