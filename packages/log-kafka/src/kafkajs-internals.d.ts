declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The part of the driver's queue of requests that the guard changes, and that its test drives. */
  class RequestQueue {
    constructor(options: object)
    readonly pending: readonly unknown[]
    /** Epoch ms up to which the broker asked for silence. */
    throttledUntil: number
    push: (request: object) => void
    sendSocketRequest: (this: RequestQueue, request: { readonly sentAt: number }) => void
    scheduleRequestTimeoutCheck: () => void
    destroy: () => void
    checkPendingRequests: () => void
    scheduleCheckPendingRequests: (this: RequestQueue) => void
  }
  export default RequestQueue
}

declare module 'kafkajs/src/broker/index.js' {
  import type { ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'

  /** The part of the driver's broker by which it writes. */
  class Broker {
    produce: (this: Broker, options: ProduceOptions) => Promise<unknown>
  }
  export default Broker
}

declare module 'kafkajs/src/producer/sendMessages.js' {
  import type { Message, RecordMetadata } from 'kafkajs'

  interface Batch {
    readonly acks: number
    readonly timeout: number
    readonly compression: number
    readonly topicMessages: readonly { readonly topic: string; readonly messages: readonly Message[] }[]
  }
  /** How the driver sends a batch, for the test that drives it with brokers of its own. */
  export default function createSendMessages(dependencies: object): (batch: Batch) => Promise<readonly RecordMetadata[]>
}

declare module 'kafkajs/src/retry/index.js' {
  export default function createRetry(options: { readonly retries: number; readonly initialRetryTime: number }): object
}

declare module 'kafkajs/src/protocol/recordBatch/crc32C/index.js' {
  /** The checksum of a record batch. */
  export default function crc32C(bytes: Buffer): number
}

declare module 'kafkajs/src/protocol/requests/index.js' {
  import type { Message } from 'kafkajs'

  /** How the driver writes a request and reads its answer. */
  export interface Protocol {
    readonly request: { readonly apiVersion: number; readonly encode: () => Promise<object> }
    readonly response: { readonly decode: (answer: Buffer) => Promise<unknown> }
  }
  /** The messages of one partition, numbered from `firstSequence` on. */
  export interface PartitionMessages {
    readonly partition: number
    readonly firstSequence: number
    readonly messages: readonly Message[]
  }
  /** What a request to write says. */
  export interface ProduceOptions {
    readonly acks: number
    /** Milliseconds. */
    readonly timeout: number
    /** A 64-bit number. */
    readonly producerId: string | number
    readonly producerEpoch: number
    readonly transactionalId?: string
    readonly compression?: number
    readonly topicData: readonly { readonly topic: string; readonly partitions: readonly PartitionMessages[] }[]
  }
  /** The versions of a request. */
  export interface ProduceDefinition {
    readonly versions: readonly string[]
    readonly protocol: (asked: { readonly version: number }) => (options: ProduceOptions) => Protocol
  }
  const protocols: { readonly requests: { Produce: ProduceDefinition } }
  export default protocols
}

declare module 'kafkajs/src/protocol/requests/produce/v7/request.js' {
  import type { ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'
  /** For the test that holds own bytes against the driver's. */
  export default function request(options: ProduceOptions): { readonly encode: () => Promise<{ readonly buffer: Buffer }> }
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/response.js' {
  /** For the test that holds what is read against what the driver reads. */
  interface DriverAnswer {
    readonly clientSideThrottleTime: number
    readonly responses: readonly {
      readonly topicName: string
      readonly partitions: readonly {
        readonly partition: number
        readonly errorCode: number
        readonly messages: readonly {
          readonly offset: string
          readonly key: Buffer | null
          readonly value: Buffer | null
          readonly headers: Readonly<Record<string, Buffer>>
          readonly isControlRecord: boolean
        }[]
      }[]
    }[]
  }
  const response: { readonly decode: (answer: Buffer) => Promise<DriverAnswer> }
  export default response
}
