import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(new URL('./reference-server.mjs', import.meta.url))
const UPLOAD_SERVER = fileURLToPath(new URL('./upload-reference-server.mjs', import.meta.url))

/** @param {readonly string[]} argv */
const start = async (argv) => {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
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

/**
 * Starts the bare server in a process of its own.
 *
 * @param {number} answerBytes
 */
export const startReference = (answerBytes) => start([SERVER, String(answerBytes)])

/** Starts the bare server that uploads are measured against. */
export const startUploadReference = () => start([UPLOAD_SERVER])
