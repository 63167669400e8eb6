import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createAlarms, type Sleeper } from './alarms.ts'
import { createFifo } from './fifo.ts'
import { createLine, type Standing } from './line.ts'

interface Item extends Standing<Item>, Sleeper {
  readonly id: number
}

const item = (id: number): Item => ({ id, line: undefined, before: undefined, behind: undefined, wakeAtMs: 0, alarm: -1 })

describe('structures of the engine are what simple ones would be', () => {
  test('property: alarms ring in the order of time', () => {
    const step = fc.tuple(fc.nat({ max: 9 }), fc.option(fc.nat({ max: 20 })))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const items = Array.from({ length: 10 }, (_, id) => item(id))
        const alarms = createAlarms<Item>()
        const model = new Map<number, number>()
        for (const [id, atMs] of steps) {
          const chosen = items[id]
          if (chosen === undefined) continue
          if (atMs === null) {
            alarms.cancel(chosen)
            model.delete(id)
          } else {
            alarms.set(chosen, atMs)
            model.set(id, atMs)
          }
          expect(alarms.earliest()?.wakeAtMs).toBe(model.size === 0 ? undefined : Math.min(...model.values()))
          for (const { id: each, alarm } of items) expect(alarm === -1).toBe(!model.has(each))
        }
      }),
    )
  })

  test('property: a line keeps the order in which its items joined', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 2 })), { maxLength: 200 }), (steps) => {
        const items = Array.from({ length: 10 }, (_, id) => item(id))
        const lines = [createLine<Item>(), createLine<Item>()]
        let models: readonly (readonly number[])[] = [[], []]
        for (const [id, where] of steps) {
          const chosen = items[id]
          if (chosen === undefined) continue
          models = models.map((model) => model.filter((other) => other !== id))
          if (where === 2) chosen.line?.leave(chosen)
          else {
            lines[where]?.join(chosen)
            models = models.map((model, index) => (index === where ? [...model, id] : model))
          }
          const seen = lines.map((line) => {
            const ids: number[] = []
            for (let each = line.first(); each !== undefined; each = each.behind) ids.push(each.id)
            return ids
          })
          expect(seen).toEqual(models)
        }
      }),
    )
  })

  test('property: a queue gives back what came first', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat()), { maxLength: 2000 }), (steps) => {
        const fifo = createFifo<number>()
        const model: number[] = []
        for (const value of steps) {
          if (value === null) expect(fifo.shift()).toBe(model.shift())
          else {
            fifo.push(value)
            model.push(value)
          }
          expect(fifo.size()).toBe(model.length)
        }
        expect(fifo.drain()).toEqual(model)
        expect(fifo.size()).toBe(0)
      }),
    )
  })
})
