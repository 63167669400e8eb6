import { hostname } from 'node:os'
import { createEventCodec } from '@switchyard/events'
import { type CollectionSpec, type EventLog, type LogRecord, type ReadStore, type SchemaIds, type Subscription } from '@switchyard/kernel'
import type { KafkaSettings, RegistrySettings, ServiceSettings, ShareTopic } from '@switchyard/runtime'
import { domainCollections } from './domain.ts'
import { createDatastoreProbe, type DatastoreProbe, healthProbesCollection } from './health/datastore-probe.ts'
import { tellingStore } from './outages.ts'
import { startPatiently } from './patience.ts'
import { type Engines, now, type Voices } from './surroundings.ts'
import { readTrustedCertificates } from './trusted-certificates.ts'

type Shared = Parameters<ShareTopic>[0]

/** An event log whose partitions several processes can share. */
export interface SharedLog extends EventLog {
  readonly joinGroup: (options: Shared & { readonly group: string }) => Subscription
}

/** The engines of a cluster as an entry point chooses them. */
export interface ClusterAdapters<Ids extends SchemaIds> {
  readonly openLog: (options: LogOptions) => Promise<SharedLog>
  readonly openSchemaIds: (options: RegistrySettings) => Promise<Ids>
  /** The log, and a handler, that learn unknown schemas before records are handed over. */
  readonly learningLog: (log: EventLog, ids: Ids) => EventLog
  readonly learningHandle: (ids: Ids, handle: Shared['handle']) => Shared['handle']
  readonly createStore: (options: StoreOptions) => ReadStore
}

/** How the log is opened. */
export interface LogOptions extends Omit<KafkaSettings, 'tls' | 'tlsCaFile'> {
  readonly clientId: string
  readonly tls: { readonly ca?: string } | undefined
}

/** How a handle of the read store is opened. */
export interface StoreOptions {
  readonly uri: string
  readonly collections: readonly CollectionSpec[]
  readonly role: 'writer' | 'reader'
}

/** The engines that a service of a cluster works on. */
export interface ClusterEngines extends Engines {
  /** Shares the topics among all processes of this service. */
  readonly share: ShareTopic
  /** How topics beside those of the log are opened. */
  readonly logOptions: LogOptions
  readonly schemaIds: SchemaIds
  /** Learns the schemas that these records name; rejects while the registry is away. */
  readonly learnSchemas: (records: readonly LogRecord[]) => Promise<void>
  readonly probe: DatastoreProbe
  /** Closes the handles that stand beside log and store. */
  readonly closeProbe: () => Promise<void>
}

/** Which service is opened, and what it may do to the read store. */
export interface ServiceRole {
  readonly name: string
  readonly store: StoreOptions['role']
}

const caOf = (path: string | undefined): { readonly ca?: string } =>
  path === undefined ? {} : { ca: readTrustedCertificates('SWITCHYARD_KAFKA_TLS_CA_FILE', path) }

/** How this process, by its name, opens the log. Throws `SETTING_INVALID` when the file of certificates holds none. */
export const logOptionsOf = ({ tls, tlsCaFile, ...kafka }: KafkaSettings, name: string): LogOptions => ({
  ...kafka,
  clientId: `switchyard-${name}`,
  tls: tls ? caOf(tlsCaFile) : undefined,
})

/** Opens the engines of a service, and waits for those that are away; the read store is waited for when its part starts. */
export const openCluster = async <Ids extends SchemaIds>(
  adapters: ClusterAdapters<Ids>,
  { name, store: role }: ServiceRole,
  { kafka, schemaRegistry, mongodbUri: uri, port }: ServiceSettings,
  { report }: Pick<Voices, 'report'>,
): Promise<ClusterEngines> => {
  const { signal } = new AbortController()
  const logOptions = logOptionsOf(kafka, name)
  // First: an address that is none is refused here, and nobody should wait for other servers to hear of it.
  const store = tellingStore(adapters.createStore({ uri, collections: domainCollections, role }), { report })
  const probed = adapters.createStore({ uri, collections: [healthProbesCollection], role: 'writer' })
  const openIds = (): Promise<Ids> => adapters.openSchemaIds(schemaRegistry)
  const { origin } = new URL(schemaRegistry.url)
  const ids = await startPatiently({ what: 'the schema registry', at: origin, start: openIds, report, signal })
  const openLog = (): Promise<SharedLog> => adapters.openLog(logOptions)
  const sharedLog = await startPatiently({ what: 'the event log', at: kafka.brokers.join(', '), start: openLog, report, signal })
  return {
    log: adapters.learningLog(sharedLog, ids),
    store,
    codec: createEventCodec(ids, { strict: false }),
    share: (options) =>
      sharedLog.joinGroup({
        ...options,
        group: `${kafka.topicPrefix}.${name}.${options.topic}-v1`,
        handle: adapters.learningHandle(ids, options.handle),
      }),
    logOptions,
    schemaIds: ids,
    learnSchemas: async (records) => await adapters.learningHandle(ids, async () => {})(records),
    // Probes write with a handle of their own, which knows no other collection: only projectors write read models (law 1).
    probe: createDatastoreProbe({ store: probed, now, instance: `${name}@${hostname()}:${port}` }),
    closeProbe: probed.close,
  }
}
