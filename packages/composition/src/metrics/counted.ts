import { Counter, Gauge, type Registry } from 'prom-client'

/** A number and the labels that it stands under. */
export interface LabelledNumber {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** What a figure is called, and where it is read when it is printed. */
export interface NumberSource {
  readonly name: string
  readonly help: string
  readonly labelNames?: readonly string[]
  readonly read: () => readonly LabelledNumber[] | Promise<readonly LabelledNumber[]>
  readonly registers: Registry[]
}

/** A counter that is kept elsewhere. */
export const counter = ({ name, help, labelNames = [], read, registers }: NumberSource): void => {
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    async collect() {
      const numbers = await read()
      this.reset()
      for (const { labels, value } of numbers) this.inc(labels, value)
    },
  })
}

/** A gauge that is kept elsewhere. */
export const gauge = ({ name, help, labelNames = [], read, registers }: NumberSource): void => {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    async collect() {
      const numbers = await read()
      this.reset()
      for (const { labels, value } of numbers) this.set(labels, value)
    },
  })
}

/** Counts by a key of few values. */
export interface Counts {
  readonly add: (key: string) => void
  /** `labelsOf` names the key. */
  readonly read: (labelsOf: (key: string) => LabelledNumber['labels']) => readonly LabelledNumber[]
}

export const createCounts = (): Counts => {
  const counts = new Map<string, number>()
  return {
    add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    read: (labelsOf) => [...counts].map(([key, value]) => ({ labels: labelsOf(key), value })),
  }
}
