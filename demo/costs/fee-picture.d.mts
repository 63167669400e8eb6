export interface PicturedCluster {
  readonly title: string
  readonly subtitle: string
  readonly currency: string
  readonly payments: readonly { readonly amount: number; readonly fee: number }[]
  /** The learned line; null where there is none. */
  readonly pctBps: number | null
  readonly fixed: number | null
  /** As the interface lists them; empty for a plain price. */
  readonly segments: readonly { readonly lo: number; readonly hi: number; readonly pct_bps: number | null; readonly fixed: number | null }[]
}
export const drawFees: (picture: { readonly subtitle: string; readonly clusters: readonly PicturedCluster[] }) => string
