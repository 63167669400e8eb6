// Where things lie: jars in a cache that all checkouts share, data and addresses of running servers in a folder a checkout.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** `SERVERS_CACHE`, or a folder below the user's cache: outside the repository, safe to delete while nothing runs. */
export const cacheFolder = () =>
  process.env.SERVERS_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'switchyard-servers')

/** Data of the servers that `npm run servers` starts from this checkout. */
export const runFolder = () => join(cacheFolder(), `run-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`)

const fileOf = (folder) => join(folder, 'servers.json')

/**
 * What runs from this folder: the addresses, and of every server that was started how to find it again.
 *
 * @param {string} folder
 */
export const readServers = (folder) =>
  existsSync(fileOf(folder)) ? JSON.parse(readFileSync(fileOf(folder), 'utf8')) : { addresses: {}, started: [] }

/** Puts the file there in one step; gives its path. */
export const writeServers = (folder, servers) => {
  mkdirSync(folder, { recursive: true })
  const aside = `${fileOf(folder)}.${process.pid}`
  writeFileSync(aside, `${JSON.stringify(servers, null, 2)}\n`, { mode: 0o600 })
  renameSync(aside, fileOf(folder))
  return fileOf(folder)
}
