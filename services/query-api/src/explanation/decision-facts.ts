import type { EntryFacts, PaymentAudit, TimelineEntry } from '@switchyard/analytics'

type FactsOf<Kind extends EntryFacts['kind']> = Extract<EntryFacts, { readonly kind: Kind }>

/** An entry of a timeline whose kind is known. */
export interface EntryOf<Kind extends EntryFacts['kind']> {
  readonly entry: TimelineEntry
  readonly facts: FactsOf<Kind>
}

/** What happened to a payment, by kind, oldest first. */
export interface PaymentStory {
  readonly paymentId: string
  readonly decisions: readonly EntryOf<'decision'>[]
  readonly outcomes: readonly EntryOf<'outcome'>[]
  readonly refusals: readonly EntryOf<'refusal'>[]
  /** Entries beyond the limit of a timeline, the oldest, are not told. */
  readonly untoldCount: number
}

const isOf = <Kind extends EntryFacts['kind']>(kind: Kind, facts: EntryFacts): facts is FactsOf<Kind> => facts.kind === kind

const entriesOf = <Kind extends EntryFacts['kind']>(entries: readonly TimelineEntry[], kind: Kind): readonly EntryOf<Kind>[] =>
  entries.flatMap((entry) => (isOf(kind, entry.facts) ? [{ entry, facts: entry.facts }] : []))

/** The story of an audited payment. */
export const storyOf = ({ payment, entries }: NonNullable<PaymentAudit['timeline']>): PaymentStory => ({
  paymentId: payment.paymentId ?? payment.lookupKey,
  decisions: entriesOf(entries, 'decision'),
  outcomes: entriesOf(entries, 'outcome'),
  refusals: entriesOf(entries, 'refusal'),
  untoldCount: payment.eventCount - entries.length,
})
