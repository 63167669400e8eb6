import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { RunningSums } from './sums.ts'
import { SumsArena } from './sums-arena.ts'

const payments = fc.array(fc.tuple(fc.double({ min: 0.01, max: 1e6, noNaN: true }), fc.double({ min: -100, max: 1e4, noNaN: true })), {
  minLength: 1,
  maxLength: 20,
})

test('property: sums in an arena are those of an object', () => {
  fc.assert(
    fc.property(fc.array(payments, { maxLength: 10 }), (sets) => {
      const arena = new SumsArena()
      for (const set of sets) {
        const [slot, sums] = [arena.open(), new RunningSums()]
        for (const [gross, fee] of set) {
          arena.addPayment(slot, gross, fee)
          sums.addPayment(gross, fee)
        }
        expect(arena.at(slot)).toEqual(sums)
      }
    }),
  )
})
