// `npm run servers`: starts the servers that tests and local work need, and says where they are. `npm run servers:stop`.
import { parseArgs } from 'node:util'
import { readServers, runFolder } from './places.mjs'
import { startServers, stopServers } from './servers.mjs'

const USAGE = 'npm run servers, npm run servers:stop [-- --wipe]; see infra/servers/README.md'
const say = (line) => process.stdout.write(`${line}\n`)

/** Not the user and password that an address given by the environment may hold. */
const withoutCredentials = (address) => String(address).replace(/\/\/[^@/]*@/g, '//…@')

const start = async () => {
  const startedMs = Date.now()
  const file = await startServers({ folder: runFolder(), isDetached: true })
  const { addresses } = readServers(runFolder())
  for (const [name, address] of Object.entries(addresses)) say(`${name.padEnd(18)} ${withoutCredentials(address)}`)
  say(`Running after ${((Date.now() - startedMs) / 1000).toFixed(1)} s; addresses in ${file}`)
}

const stop = async (isWiped) => {
  const stopped = await stopServers(runFolder(), { isWiped })
  say(stopped.length === 0 ? 'No servers run from this checkout.' : `Stopped ${stopped.map(({ name }) => name).join(', ')}.`)
}

const main = async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { wipe: { type: 'boolean', default: false } } })
  const [command] = positionals
  if (command === 'start') await start()
  else if (command === 'stop') await stop(values.wipe)
  else throw new Error(USAGE)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
