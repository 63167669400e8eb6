import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createIsAborted } from './aborted-transactions.ts'

/** What a producer does next: writes beside transactions, writes within one, or ends one. */
const steps = fc.array(fc.record({ producer: fc.nat(2), does: fc.constantFrom('plain', 'transactional', 'commit', 'abort') }), {
  maxLength: 40,
})

test('what was given up is told, wherever the reading begins, and nothing else', () => {
  fc.assert(
    fc.property(steps, fc.nat(40), (story, from) => {
      const begun = new Map<number, number[]>()
      const givenUp = new Set<number>()
      const transactions: { producerId: bigint; firstOffset: number; endOffset: number }[] = []
      const written = story.map(({ producer, does }, offset) => {
        const open = begun.get(producer) ?? []
        if (does === 'transactional') begun.set(producer, [...open, offset])
        if (does === 'abort' && open[0] !== undefined) {
          for (const one of open) givenUp.add(one)
          transactions.push({ producerId: BigInt(producer), firstOffset: open[0], endOffset: offset })
        }
        const isControl = does === 'commit' || does === 'abort'
        if (isControl) begun.delete(producer)
        return { producerId: BigInt(producer), offset, isTransactional: does !== 'plain', isControl }
      })
      // A broker lists those that end behind the place that is asked for.
      const isAborted = createIsAborted(transactions.filter(({ endOffset }) => endOffset >= from))
      const told = written.slice(from).filter(isAborted)
      expect(told.map(({ offset }) => offset)).toEqual([...givenUp].filter((offset) => offset >= from).toSorted((a, b) => a - b))
    }),
    { numRuns: 500 },
  )
})
