export { openKafkaLog } from './kafka-log.ts'
export type { KafkaLogLimits } from './limits.ts'
export type { BrokerAddress, ConnectionUse, KafkaLogOptions, KafkaSasl } from './options.ts'
