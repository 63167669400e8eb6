export interface Slot {
  readonly offset: number
  readonly width: number
}
export const writeDigits: (bytes: Uint8Array, slot: Slot, value: number) => void
export const requestTemplate: (request: {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly slots: Readonly<Record<string, number>>
}) => { readonly bytes: Buffer; readonly offsets: Readonly<Record<string, Slot>> }
