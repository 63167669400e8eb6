import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'

export const HOST = '127.0.0.1'
const LISTENING = '0A'

const bind = async (port) => {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen({ port, host: HOST, exclusive: true })
  await listening
  const bound = server.address().port
  server.close()
  await once(server, 'close')
  return bound
}

/**
 * The port that the variable names, when nobody listens there, or any free one. A server that is probed on a port of somebody
 * else's would seem to run.
 */
export const choosePort = async (variable) => {
  const wanted = Number(process.env[variable] || 0)
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535) throw new Error(`${variable} must be a port number`)
  try {
    return await bind(wanted)
  } catch (error) {
    throw new Error(`port ${wanted} (${variable}) can't be used: ${error.code}`)
  }
}

/** Inodes of the sockets that listen on the port, from the tables of the kernel. */
const listeningInodes = (port) => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local.endsWith(suffix))
    .map((columns) => columns[9])
}

const socketsOf = (pid) => {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)]
    } catch {
      return []
    }
  })
}

/** Whether it is this very process that listens on the port. */
export const listensOn = (pid, port) => {
  if (!existsSync('/proc/net/tcp')) {
    const { stdout } = spawnSync('lsof', ['-nP', '-a', '-p', String(pid), `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8' })
    return String(stdout).trim() === String(pid)
  }
  const inodes = listeningInodes(port)
  return inodes.length > 0 && socketsOf(pid).some((link) => inodes.some((inode) => link === `socket:[${inode}]`))
}
