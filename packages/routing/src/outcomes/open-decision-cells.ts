import { assert } from '@switchyard/kernel'
import type { Cells, CellsKind } from './cells.ts'
import { LongTraits } from './long-traits.ts'
import type { CountedOutcome, OpenDecision } from './open-decision.ts'
import { isLong, type PaymentTraits } from './payment-traits.ts'
import type { SlotTable } from './slot-table.ts'

/** The own numbers of a slot; a time has more than 32 bits. */
const AT_HIGH = 0
const AT_LOW = 1
const EPOCH = 2
const NUMBER_COUNT = 3

const HALF = 0x1_0000_0000

/** Open decisions side by side instead of an object for each: what is forgotten leaves nothing behind that would have to be collected. */
class OpenDecisionCells implements Cells<OpenDecision> {
  readonly #slots: SlotTable
  /** Made with the first: most merchants have none. */
  #longTraits: LongTraits | undefined
  readonly #traits: (PaymentTraits | undefined)[]
  readonly #cards: (string | null)[]
  /** Made when the first outcome counts. */
  #counted: (CountedOutcome | null)[] | undefined

  constructor(slots: SlotTable) {
    const { slotCount } = slots
    this.#slots = slots
    this.#traits = new Array<PaymentTraits | undefined>(slotCount).fill(undefined)
    this.#cards = new Array<string | null>(slotCount).fill(null)
  }

  get length(): number {
    return this.#longTraits?.length ?? 0
  }

  get(slot: number): OpenDecision {
    return new OpenDecisionView(this, slot)
  }

  atOf(slot: number): number {
    return this.#slots.numberAt(slot, AT_HIGH) * HALF + (this.#slots.numberAt(slot, AT_LOW) >>> 0)
  }

  traitsOf(slot: number): PaymentTraits {
    const traits = this.#traits[slot]
    assert(traits !== undefined, 'an open decision has traits')
    return traits
  }

  cardOf(slot: number): string | null {
    return this.#cards[slot] ?? null
  }

  epochOf(slot: number): number {
    return this.#slots.numberAt(slot, EPOCH)
  }

  countedOf(slot: number): CountedOutcome | null {
    return this.#counted?.[slot] ?? null
  }

  count(slot: number, counted: CountedOutcome | null): void {
    if (this.#counted === undefined && counted === null) return
    this.#counted ??= new Array<CountedOutcome | null>(this.#slots.slotCount).fill(null)
    this.#counted[slot] = counted
  }

  set(slot: number, { at, traits, cardIsIn, epoch, counted }: OpenDecision): void {
    this.#slots.setNumber(slot, AT_HIGH, Math.floor(at / HALF))
    this.#slots.setNumber(slot, AT_LOW, at | 0)
    this.#slots.setNumber(slot, EPOCH, epoch)
    this.#release(slot)
    this.#traits[slot] = this.#kept(traits)
    this.#cards[slot] = cardIsIn
    this.count(slot, counted)
  }

  clear(slot: number): void {
    this.#release(slot)
    this.#traits[slot] = undefined
    this.#cards[slot] = null
    this.count(slot, null)
  }

  #kept(traits: PaymentTraits): PaymentTraits {
    if (!isLong(traits)) return traits
    this.#longTraits ??= new LongTraits()
    return this.#longTraits.use(traits)
  }

  #release(slot: number): void {
    const traits = this.#traits[slot]
    if (traits !== undefined && isLong(traits)) this.#longTraits?.release(traits)
  }
}

/** The open decision of a slot, until the map changes. */
class OpenDecisionView implements OpenDecision {
  readonly #cells: OpenDecisionCells
  readonly #slot: number

  constructor(cells: OpenDecisionCells, slot: number) {
    this.#cells = cells
    this.#slot = slot
  }

  get at(): number {
    return this.#cells.atOf(this.#slot)
  }

  get traits(): PaymentTraits {
    return this.#cells.traitsOf(this.#slot)
  }

  get cardIsIn(): string | null {
    return this.#cells.cardOf(this.#slot)
  }

  get epoch(): number {
    return this.#cells.epochOf(this.#slot)
  }

  get counted(): CountedOutcome | null {
    return this.#cells.countedOf(this.#slot)
  }

  set counted(counted: CountedOutcome | null) {
    this.#cells.count(this.#slot, counted)
  }
}

/** How an `AgingMap` keeps open decisions: its length is that of their long traits, equal ones once. */
export const OPEN_DECISION_CELLS: CellsKind<OpenDecision> = {
  numberCount: NUMBER_COUNT,
  create: (slots) => new OpenDecisionCells(slots),
}
