#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { logOptionsOf } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import { isOperatingError, messageWithCauses, OperatingError } from '@switchyard/kernel'
import { createEmbeddedLog } from '@switchyard/log-embedded'
import { DATA_LAYOUT_VERSION, DATA_MARKER_FILE, dataLayoutIn, parseSettings, type Settings, yieldToServices } from '@switchyard/runtime'
import { createEmbeddedStore } from '@switchyard/store-embedded'
import { parseCommandLine } from './command-line.ts'
import { createConsole } from './console.ts'
import { type Engines, OPERATOR_COLLECTIONS } from './engines.ts'
import { endWhenInterrupted } from './interruption.ts'
import { runCommand } from './run-command.ts'

/** A command that was not understood, or can't be done; one that found differences ends with 1. */
const EXIT_FAILED = 2

/** The committed files are all there is on the embedded engine. */
const nothingToLearn = async (): Promise<void> => {}

/** As for services: under the committed ids the records of a cluster are others, and a rebuild would swap in what was read wrongly. */
const requiredBesideKafka = (name: string): OperatingError =>
  new OperatingError('SETTING_INVALID', `${name}: is required with SWITCHYARD_KAFKA_BROKERS`, { retryable: false })

/** Drivers are loaded only where they are used: they would make every start slower. */
const openKafka = async ({ kafka, schemaRegistry }: Settings): Promise<Pick<Engines, 'log' | 'schemaIds' | 'learn'> | undefined> => {
  if (kafka === undefined) return undefined
  if (schemaRegistry === undefined) throw requiredBesideKafka('SWITCHYARD_SCHEMA_REGISTRY_URL')
  // A command makes no log: under a prefix that was misspelt it would find an empty one, in which nothing is behind.
  const options = { ...logOptionsOf(kafka, 'operator'), createsTopics: false }
  const log = await (await import('@switchyard/log-kafka')).openKafkaLog(options)
  const { learningLog, openRegistrySchemaIds } = await import('@switchyard/schema-ids-registry')
  const schemaIds = await openRegistrySchemaIds(schemaRegistry)
  return { log: learningLog(log, schemaIds), schemaIds, learn: schemaIds.learn }
}

/** Whether it is marked as a whole, and not a part of one. */
const isDataFolder = (root: string): boolean => {
  try {
    return dataLayoutIn(join(root, DATA_MARKER_FILE)) === DATA_LAYOUT_VERSION
  } catch {
    return false
  }
}

const inDataFolder = (dataDir: string, part: string): string => {
  const root = resolve(dataDir)
  if (isDataFolder(root)) return join(root, part)
  throw new OperatingError('SETTING_INVALID', `SWITCHYARD_DATA_DIR: there is no data of Switchyard in ${root} that this release knows`, {
    retryable: false,
  })
}

const openStore = async ({ mongodbUri: uri, dataDir, kafka }: Settings, role: 'writer' | 'reader'): Promise<Engines['store']> => {
  if (kafka !== undefined && uri === undefined) throw requiredBesideKafka('SWITCHYARD_MONGODB_URI')
  const ofStore = { collections: OPERATOR_COLLECTIONS, role }
  return uri === undefined
    ? createEmbeddedStore({ folder: inDataFolder(dataDir, 'store'), ...ofStore })
    : (await import('@switchyard/store-mongo')).createMongoStore({ uri, ...ofStore })
}

/** Folders of this process that nobody needs afterwards, however it ends. */
const scratchFolders = new Set<string>()
const removeScratch = (): void => {
  for (const folder of scratchFolders) rmSync(folder, { recursive: true, force: true })
}

const makeScratchFolder = (): string => {
  try {
    return mkdtempSync(join(tmpdir(), 'switchyard-verify-'))
  } catch (error) {
    const message = `a copy of the read models can't be kept in ${tmpdir()}; name another folder in TMPDIR`
    throw new OperatingError('DATA_FOLDER_UNWRITABLE', message, { retryable: false, cause: error })
  }
}

/** A store on the disk of this machine that is gone afterwards. */
const openScratch: Engines['openScratch'] = (collections) => {
  const folder = makeScratchFolder()
  scratchFolders.add(folder)
  const store = createEmbeddedStore({ folder, collections, role: 'writer' })
  const remove = async (): Promise<void> => {
    await store.close()
    removeScratch()
  }
  return { store, remove }
}

/**
 * Of the environment what says where the engines are; secrets of the services are none of a command's business. Their names are
 * looked at all the same: where the data lies may be said under a name that is misspelt, and the command would go to other data.
 */
const settingsOf = (env: NodeJS.ProcessEnv): Settings =>
  parseSettings(
    Object.fromEntries(
      Object.entries(env)
        .filter(([name]) => name.startsWith('SWITCHYARD_'))
        .map(([name, value]) => [name, /^SWITCHYARD_(DATA_DIR|MONGODB|KAFKA|SCHEMA_REGISTRY)/.test(name) ? value : '']),
    ),
  )

const run = async (): Promise<number> => {
  const command = parseCommandLine(process.argv.slice(2), Date.now())
  const console = createConsole(process.stdout, process.stderr)
  const settings = settingsOf(process.env)
  yieldToServices()
  return await runCommand(command, {
    console,
    now: Date.now,
    openLog: async () =>
      (await openKafka(settings)) ?? {
        log: createEmbeddedLog({ folder: inDataFolder(settings.dataDir, 'log'), role: 'reader' }),
        schemaIds: publishedSchemaIds(),
        learn: nothingToLearn,
      },
    openStore: (role) => openStore(settings, role),
    openScratch,
  })
}

// Work that is broken off goes on when the command is run again; nothing has to be stored first.
endWhenInterrupted(removeScratch)
process.on('exit', removeScratch)

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough.
  if (error.code === 'EPIPE') process.exit(0)
  // A file that ends before its result does would be taken for all of it.
  process.stderr.write(`switchyard: the result could not be written: ${error.message}\n`)
  process.exit(EXIT_FAILED)
})
// Nobody reads the remarks any more: what was begun goes on. As an exception nobody caught it would end in the middle of a write.
process.stderr.on('error', () => {})

run().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(
      `switchyard: ${isOperatingError(error) ? messageWithCauses(error) : error instanceof Error ? error.stack : String(error)}\n`,
    )
    process.exitCode = EXIT_FAILED
  },
)
