import type { PositionedChunk } from '@switchyard/costs'
import type { Position } from '@switchyard/kernel'
import type { ClosedMerchant, LearnedModelNews, MerchantAddOns } from './learned-models.ts'

/** A schema that records of this message, or of later ones, were written with. */
export interface SentSchema {
  readonly id: number
  readonly subject: string
  readonly schema: string
}

/** What the compiling thread gets, or null with nothing but memory to give back: it answers each with its number once the models include it. */
export interface CompilerInput {
  readonly number: number
  readonly schemas: readonly SentSchema[]
  /** Framed bytes of `CostModelFitted` events. */
  readonly records: readonly { readonly value: Uint8Array; readonly position: Position }[]
  /** Chunks that were stored. */
  readonly chunks: readonly PositionedChunk[]
  /** Merchants whose invoices add something else than before. */
  readonly addOns: readonly MerchantAddOns[]
  readonly closed: readonly ClosedMerchant[]
  /** `later`: more comes at once. */
  readonly compile: 'now' | 'later'
}

/** What the compiling thread tells. */
export type CompilerOutput =
  | { readonly kind: 'model'; readonly news: LearnedModelNews }
  | { readonly kind: 'included'; readonly number: number }
