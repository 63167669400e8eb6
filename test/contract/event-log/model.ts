import { describe, expect, test } from '@jest/globals'
import { includes, type NewRecord, type Position, type Positions } from '@switchyard/kernel'
import fc from 'fast-check'
import { type EventLogAdapter, idsByKey, type OpenedLog, positionsAfter, readAll, recordOf, tailOf } from './adapter.ts'

const RUNS = 25
const COMMANDS_MAX = 20

type PlacedRecord = NewRecord & { readonly position: Position }

/** What must stand in the log, and where somebody once stood who had read it all. */
interface Model {
  readonly placed: PlacedRecord[]
  readonly checkpoints: Positions[]
}

interface Real<Opened> {
  opened: Opened
}

const expectedBehind = (model: Model, from: Positions): readonly PlacedRecord[] =>
  model.placed.filter(({ position }) => !includes(from, position)).sort((a, b) => a.position.offset - b.position.offset)

const checkpointOf = (model: Model, choice: number): Positions => model.checkpoints[choice % model.checkpoints.length] ?? new Map()

type Command<Opened> = fc.AsyncCommand<Model, Real<Opened>>

const always = (): boolean => true

const appendCommand = <Opened extends OpenedLog>(calls: readonly (readonly string[])[]): Command<Opened> => ({
  check: always,
  run: async (model, { opened }) => {
    const appends = calls.map((keys) => keys.map((key) => recordOf(key)))
    const positions = await Promise.all(appends.map(async (records) => await opened.log.append('payments', records)))
    for (const [call, records] of appends.entries()) {
      expect(positions[call]).toHaveLength(records.length)
      for (const [index, position] of (positions[call] ?? []).entries()) {
        const record = records[index]
        if (record !== undefined) model.placed.push({ ...record, position })
      }
    }
    model.checkpoints.push(positionsAfter(positions.flat(), model.checkpoints.at(-1)))
  },
  toString: () => `append ${JSON.stringify(calls)}`,
})

const readCommand = <Opened extends OpenedLog>(choice: number): Command<Opened> => ({
  check: always,
  run: async (model, { opened }) => {
    const from = checkpointOf(model, choice)
    expect(idsByKey(await readAll(opened.log, 'payments', from))).toEqual(idsByKey(expectedBehind(model, from)))
  },
  toString: () => `read from checkpoint ${choice}`,
})

const tailCommand = <Opened extends OpenedLog>(choice: number): Command<Opened> => ({
  check: always,
  run: async (model, { opened }) => {
    const from = checkpointOf(model, choice)
    const expected = expectedBehind(model, from)
    const tail = tailOf(await opened.openReader(), { topic: 'payments', from })
    await tail.hasSeen(expected.length)
    await tail.stop()
    expect(idsByKey(tail.records)).toEqual(idsByKey(expected))
  },
  toString: () => `tail from checkpoint ${choice}`,
})

const endCommand = <Opened extends OpenedLog>(): Command<Opened> => ({
  check: always,
  run: async (model, { opened }) => {
    const ends = await opened.log.endPositions('payments')
    for (const [partition, offset] of positionsAfter(model.placed.map(({ position }) => position))) expect(ends.get(partition)).toBe(offset)
  },
  toString: () => 'end positions',
})

const reopenCommand = <Opened extends OpenedLog>(reopen: (opened: Opened) => Promise<Opened>): Command<Opened> => ({
  check: always,
  run: async (_, real) => {
    real.opened = await reopen(real.opened)
  },
  toString: () => 'reopen',
})

/** Any sequence of calls leaves the log as a list per key would be. */
export const describeModel = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  const key = fc.constantFrom('m_1', 'm_2', 'm_3', 'm_4')
  const { reopen } = adapter
  const commands = [
    fc.array(fc.array(key, { maxLength: 4 }), { maxLength: 4 }).map((calls) => appendCommand<Opened>(calls)),
    fc.nat({ max: 50 }).map((choice) => readCommand<Opened>(choice)),
    fc.nat({ max: 50 }).map((choice) => tailCommand<Opened>(choice)),
    fc.constant(endCommand<Opened>()),
    ...(reopen === undefined ? [] : [fc.constant(reopenCommand(reopen))]),
  ]
  describe('model', () => {
    test('any sequence of appends, reads, tails and (where it can be) reopening keeps the order of each key', async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: COMMANDS_MAX }), async (sequence) => {
          const real = { opened: await adapter.open() }
          try {
            await fc.asyncModelRun(() => ({ model: { placed: [], checkpoints: [new Map()] }, real }), sequence)
          } finally {
            await real.opened.dispose()
          }
        }),
        { numRuns: RUNS },
      )
    })
  })
}
