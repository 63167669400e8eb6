import type { StartedProcess } from './processes.mjs'

export const startKafka: (options: {
  readonly folder: string
  readonly isDetached: boolean
  readonly port?: number
}) => Promise<StartedProcess & { readonly address: string }>

export const formatArguments: (options: {
  readonly libraries: string
  readonly propertiesFile: string
  readonly clusterId?: string
}) => readonly string[]
