import type { Ledger } from './ledger.mjs'
import type { Market } from './market.mjs'

export interface DemoClient {
  readonly post: (
    path: string,
    message: { readonly headers: Readonly<Record<string, string>>; readonly body: Readonly<Record<string, unknown>> },
  ) => Promise<unknown>
}
export const drive: (run: {
  readonly client: DemoClient
  readonly merchant: { readonly merchantId: string; readonly headers: Readonly<Record<string, string>> }
  readonly market: Market
  readonly ledger: Ledger
  readonly concurrency: number
  readonly onProgress: (progress: { readonly doneCount: number; readonly approvedCount: number }) => void
}) => Promise<{ readonly lostCount: number; readonly latenciesMs: readonly number[] }>
