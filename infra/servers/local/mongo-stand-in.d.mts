import type { StartedProcess } from './processes.mjs'

export const startDurableMongoStandIn: (options: {
  readonly folder: string
  readonly isDetached: boolean
  readonly port?: number
}) => Promise<StartedProcess & { readonly address: string }>
