import type { StartedProcess } from './processes.mjs'

export const startKafka: (options: {
  readonly folder: string
  readonly isDetached: boolean
  readonly port?: number
}) => Promise<StartedProcess & { readonly address: string }>
