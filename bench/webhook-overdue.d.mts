/** Whose events, and how many in all. */
export interface OverdueTask {
  /** Data folder of a server that is stopped and knows the merchants. */
  readonly folder: string
  readonly endpoints: readonly { readonly merchantId: string }[]
  readonly overdueCount: number
}
export const writeOverdue: (task: OverdueTask) => Promise<void>
