import type { ConnectionOptions } from 'node:tls'
import type { KafkaLogLimits } from './limits.ts'

/** Who the process is to the brokers. */
export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
  readonly username: string
  readonly password: string
}

/** What a connection is for; appends and reads never share one. */
export type ConnectionUse = 'append' | 'read'

/** Where a broker listens. */
export interface BrokerAddress {
  readonly host: string
  readonly port: number
}

/** Which cluster, and which topics of it. */
export interface KafkaLogOptions {
  /** `host:port` of some brokers; the others are learnt from them. */
  readonly brokers: readonly string[]
  /** Shown in the brokers' logs and metrics. */
  readonly clientId: string
  /** Encrypted connections; absent: plain ones. */
  readonly tls?: ConnectionOptions | undefined
  readonly sasl?: KafkaSasl | undefined
  /** First part of the topics' names: `<prefix>.<topic>.v1`. */
  readonly topicPrefix: string
  /** Partitions of each topic. Decides which key is where, so it never changes: a topic with another number is refused. */
  readonly partitionCount: number
  /** Copies of each partition; counts when a topic is created. */
  readonly replicationFactor: number
  /** Whether topics that are missing are made; absent: they are. */
  readonly createsTopics?: boolean
  /** Where a broker is really reached, for tunnels and tests; absent: where it says. */
  readonly reach?: (broker: BrokerAddress, use: ConnectionUse) => BrokerAddress
  readonly limits?: Partial<KafkaLogLimits>
}
