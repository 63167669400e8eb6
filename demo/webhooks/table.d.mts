export const deliveriesTable: (
  rows: readonly { readonly profile: string; readonly isDelivered: boolean | null }[],
  states: readonly { readonly profile: string; readonly received: number; readonly doing: string }[],
  seconds: number,
) => string
