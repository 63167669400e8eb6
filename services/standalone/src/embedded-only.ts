import { OperatingError } from '@switchyard/kernel'
import type { Settings } from '@switchyard/runtime'

/** Throws `SETTING_INVALID` for settings of a cluster: a process that keeps everything in its folder would ignore them. */
export const assertEmbeddedOnly = ({ kafka, schemaRegistry }: Pick<Settings, 'kafka' | 'schemaRegistry'>): void => {
  const strays = [
    ...(kafka === undefined ? [] : ['SWITCHYARD_KAFKA_BROKERS']),
    ...(schemaRegistry === undefined ? [] : ['SWITCHYARD_SCHEMA_REGISTRY_URL']),
  ]
  if (strays.length === 0) return
  throw new OperatingError('SETTING_INVALID', `${strays.join(', ')}: the standalone process keeps its log in SWITCHYARD_DATA_DIR`, {
    retryable: false,
  })
}
