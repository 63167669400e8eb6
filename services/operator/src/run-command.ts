import { tellingStore } from '@switchyard/composition'
import { assertNever, messageWithCauses, type ReadStore } from '@switchyard/kernel'
import type { Command } from './command-line.ts'
import type { Console } from './console.ts'
import { listDeadLetters, showDeadLetter } from './dead-letters.ts'
import type { Deployment, Engines } from './engines.ts'
import { lag } from './lag.ts'
import { readModelsOf } from './read-models.ts'
import { rebuild } from './rebuild.ts'
import { replay } from './replay.ts'
import { retryDeadLetters } from './retry-dead-letters.ts'
import { USAGE } from './usage.ts'
import { verify } from './verify.ts'

type StoreRole = Parameters<Deployment['openStore']>[0]

/** Opens the log for a task, and closes it whatever comes of it. */
const withLog = async (
  { openLog }: Deployment,
  task: (engines: Pick<Engines, 'log' | 'schemaIds' | 'learn'>) => Promise<number>,
): Promise<number> => {
  const engines = await openLog()
  try {
    return await task(engines)
  } finally {
    await engines.log.close()
  }
}

const withStore = async (
  { openStore, console }: Deployment,
  role: StoreRole,
  task: (store: ReadStore) => Promise<number>,
): Promise<number> => {
  const store = telling(await openStore(role), console)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}

const withBoth = async (
  deployment: Deployment,
  role: StoreRole,
  task: (engines: Omit<Engines, 'openScratch'>) => Promise<number>,
): Promise<number> => await withLog(deployment, (engines) => withStore(deployment, role, (store) => task({ ...engines, store })))

/** What is replayed waits for a store as long as it takes: a command that stands still says why. */
const telling = (store: ReadStore, { note }: Console): ReadStore =>
  tellingStore(store, {
    report: { info: note, failed: (text, error) => note(`${text}: ${error instanceof Error ? messageWithCauses(error) : String(error)}`) },
  })

/** Does what the command line asks for; resolves with the exit code. */
export const runCommand = async (command: Command, deployment: Deployment): Promise<number> => {
  const { console, now } = deployment
  const openScratch: Engines['openScratch'] = (collections) => {
    const scratch = deployment.openScratch(collections)
    return { ...scratch, store: telling(scratch.store, console) }
  }
  switch (command.name) {
    case 'help':
      await console.print(USAGE.trimEnd())
      return 0
    case 'replay':
      return await withLog(deployment, (engines) => replay(command, { ...engines, console }))
    case 'lag':
      return await withBoth(deployment, 'reader', (engines) => lag(command, { ...engines, console }))
    case 'dead-letters list':
      return await withStore(deployment, 'reader', (store) => listDeadLetters(command, store, console))
    case 'dead-letters show':
      return await withStore(deployment, 'reader', (store) => showDeadLetter(command, store, console))
    case 'dead-letters retry':
      return await withBoth(deployment, 'writer', (engines) => retryDeadLetters({ ...engines, console, now }))
    case 'verify': {
      const models = readModelsOf(command.projection)
      return await withBoth(deployment, 'reader', (engines) => verify(models, { ...engines, openScratch, console, now }))
    }
    case 'rebuild': {
      const models = readModelsOf(command.projection)
      return await withBoth(deployment, 'writer', async (engines) =>
        (await rebuild(models, { ...engines, console, now }, command.isAnew)) === 0 ? 0 : 1,
      )
    }
    default:
      return assertNever(command)
  }
}
