export const createProgress: (options: {
  readonly total: number
  readonly out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown }
  readonly now: () => number
}) => { readonly update: (doneCount: number, note: string) => void }
