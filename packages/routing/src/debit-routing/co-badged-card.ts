/** What is known of a card that may go over several networks (network.md 3 and 4.2). */
export interface CoBadgedCard {
  /** Spelled as they came, in their order, with repetitions. */
  readonly networks: readonly string[]
  /** ISO 3166 alpha-2 code. */
  readonly issuerCountry: string
  /** Whether the law caps what the issuer takes. */
  readonly isRegulated: boolean
  /** Name of the regulation. */
  readonly regulatedName: string | null
  readonly cardType: 'debit' | 'credit'
  readonly source: 'METADATA' | 'BIN_TABLE'
}

/** What a payment says about debit routing; null where it says nothing. */
export interface DebitDetails {
  readonly merchantCategoryCode: string | null
  /** ISO 3166 alpha-2 code. */
  readonly acquirerCountry: string | null
  /** Null: the BIN table is asked. */
  readonly card: CoBadgedCard | null
}

/** What a payment's metadata say about debit routing, or why they can't be used, for people. */
export type DebitMetadata =
  | { readonly details: DebitDetails; readonly problem?: never }
  | { readonly details?: never; readonly problem: string }

/** A card, or why none can be told, for people. */
export type FoundCard = { readonly card: CoBadgedCard; readonly problem?: never } | { readonly card?: never; readonly problem: string }
