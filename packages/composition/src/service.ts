import type { SchemaIds } from '@switchyard/kernel'
import type { Part, ServiceSettings } from '@switchyard/runtime'
import { type ClusterAdapters, type ClusterEngines, openCluster, type ServiceRole } from './cluster.ts'
import { runProcess } from './process.ts'
import { readStorePart } from './read-store-part.ts'
import type { Voices } from './surroundings.ts'

/** What the parts of a service are built from. */
export interface ServiceSurroundings {
  readonly settings: ServiceSettings
  readonly engines: ClusterEngines
  readonly voices: Voices
  readonly onListening: (url: string) => void
}

/** A service of a cluster: who it is, and its own parts. */
export interface Service extends ServiceRole {
  /** They are started behind the engines and stopped before them, in this order and its reverse. */
  readonly partsOf: (surroundings: ServiceSurroundings) => readonly Part[]
}

/** Runs a service of a cluster on the engines that its entry point chose. */
export const runService = async <Ids extends SchemaIds>(
  { partsOf, ...role }: Service,
  settings: ServiceSettings,
  adapters: ClusterAdapters<Ids>,
): Promise<void> => {
  await runProcess(settings, async (voices) => {
    const opened = await openCluster(adapters, role, settings, voices)
    const engines = { ...opened, log: voices.metrics.ofLog(opened.log) }
    const { log, store, closeProbe } = engines
    const onListening = (url: string): void => void process.stdout.write(`Switchyard ${role.name} listens on ${url}\n`)
    return [
      { name: 'event log', start: async () => {}, stop: log.close },
      { name: 'probe', start: async () => {}, stop: closeProbe },
      readStorePart(store, voices, settings.mongodbUri),
      ...partsOf({ settings, engines, voices, onListening }),
    ]
  })
}
