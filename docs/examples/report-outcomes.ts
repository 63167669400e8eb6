// Reports outcomes by the topic `outcomes-inbound`, as JSON and as Avro. See docs/reporting-outcomes.md.
import confluent from '@kafkajs/confluent-schema-registry'
import type { Producer } from 'kafkajs'

/** What is known of an attempt; optional fields are those of `POST /update-gateway-score`, for Avro those of the schema. */
export interface Report {
  readonly merchantId: string
  readonly gateway: string
  readonly paymentId: string
  readonly status: string
}

const ACKS_OF_ALL = -1

/** As JSON: the body of `POST /update-gateway-score`, under the merchant's id. */
export const reportAsJson = async (producer: Producer, topic: string, reports: readonly Report[]): Promise<void> => {
  const messages = reports.map((report) => ({ key: report.merchantId, value: JSON.stringify(report) }))
  await producer.send({ topic, acks: ACKS_OF_ALL, messages })
}

/** As Avro, in the wire format of the registry: it has the schema since the first start of a cluster. */
export const reportAsAvro = async (producer: Producer, registryUrl: string, topic: string, reports: readonly Report[]): Promise<void> => {
  const registry = new confluent.SchemaRegistry({ host: registryUrl })
  const id = await registry.getLatestSchemaId('switchyard.inbound.OutcomeReport')
  const messages = await Promise.all(reports.map(async (report) => ({ key: report.merchantId, value: await registry.encode(id, report) })))
  await producer.send({ topic, acks: ACKS_OF_ALL, messages })
}
