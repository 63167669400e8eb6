import type { SettledPayment } from './payments.mjs'
import type { Account } from './world.mjs'

export const CONNECTORS: readonly string[]
export const reportChunks: (account: Account, payments: Iterable<SettledPayment>) => Generator<string>
