import { assert } from '@switchyard/kernel'
import type { SlotTable } from './slot-table.ts'

/** A value that knows when it began, epoch milliseconds of event time. */
export interface Dated {
  readonly at: number
}

/** What the slots of an `AgingMap` hold. Only a slot that was set is asked for, or cleared. */
export interface Cells<Value extends Dated> {
  /** May be a view, which is right until the map changes. */
  get(slot: number): Value
  atOf(slot: number): number
  set(slot: number, value: Value): void
  clear(slot: number): void
  /** Characters of what is long in the values; 0 where their number bounds them. */
  readonly length: number
}

/** How cells are made for the slots of a table. */
export interface CellsKind<Value extends Dated> {
  /** Numbers of its own that a slot has in the table. */
  readonly numberCount: number
  readonly create: (slots: SlotTable) => Cells<Value>
}

/** An object for each value. */
export class ObjectCells<Value extends Dated> implements Cells<Value> {
  readonly length = 0
  readonly #values: (Value | undefined)[]

  constructor(slotCount: number) {
    this.#values = new Array<Value | undefined>(slotCount).fill(undefined)
  }

  get(slot: number): Value {
    const value = this.#values[slot]
    assert(value !== undefined, 'a slot that is asked for has a value')
    return value
  }

  atOf(slot: number): number {
    return this.get(slot).at
  }

  set(slot: number, value: Value): void {
    this.#values[slot] = value
  }

  clear(slot: number): void {
    this.#values[slot] = undefined
  }
}
