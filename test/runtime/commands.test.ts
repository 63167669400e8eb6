import { describe, expect, test } from '@jest/globals'
import { type EventLog, OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createCommandHandler, createStreamStates, type RunningStreamStates } from '@switchyard/runtime'
import { createManualTimers, until } from './support/manual-timers.ts'
import { codec, commutingSlice, enabled, idsOf, listSlice, merchantSlice, poisonRecord, recordOf, sampleSlices } from './support/sample.ts'
import { createStore, startCommandSide } from './support/world.ts'

const origin = { actor: 'admin', requestId: 'r_1' }
const register = (input: string) => ({ key: 'm_1', command: { merchantId: 'm_1', input }, origin })
const add = (...features: string[]) => ({ key: 'm_1', command: { merchantId: 'm_1', features }, origin })
const two = async (log: EventLog) => {
  const store = createStore()
  return [await startCommandSide('left', log, store), await startCommandSide('right', log, store)] as const
}
const recordsIn = async (log: EventLog) => {
  const all = []
  for await (const records of log.read('config', new Map())) all.push(...records)
  return all
}

describe('commands', () => {
  test('the outcome carries the state after the event and the position of the event', async () => {
    const log = createMemoryLog()
    const { handle } = await startCommandSide('left', log, createStore())
    const outcome = await handle(merchantSlice, register('a'))
    expect(outcome).toEqual({
      accepted: true,
      state: { registered: true, input: 'a' },
      position: { partition: expect.any(Number), offset: 0 },
    })
    expect(await handle(merchantSlice, register('b'))).toEqual({ accepted: false, rejection: { code: 'TAKEN' } })
  })

  test('headers say who, why and on which version', async () => {
    const log = createMemoryLog()
    const { handle } = await startCommandSide('left', log, createStore())
    await handle(listSlice, add('a', 'b'))
    await handle(listSlice, add('c'))
    const type = 'switchyard.config.FeatureEnabled'
    expect((await recordsIn(log)).map(({ headers }) => headers)).toEqual([
      { id: 'left-1', type, correlation: 'r_1', actor: 'admin', expectedVersion: 0 },
      { id: 'left-1.1', type, correlation: 'r_1', actor: 'admin', expectedVersion: 1 },
      { id: 'left-2', type, correlation: 'r_1', actor: 'admin', expectedVersion: 2 },
    ])
  })

  test('a command that changes nothing has no position', async () => {
    const { handle } = await startCommandSide('left', createMemoryLog(), createStore())
    expect(await handle(listSlice, add())).toEqual({ accepted: true, state: [], position: undefined })
  })

  test('two who register the same name at once: one wins, the other is told so, and both folds agree', async () => {
    const log = createMemoryLog()
    let appends = 0
    const counted: EventLog = {
      ...log,
      append: (topic, records) => {
        appends += 1
        return log.append(topic, records)
      },
    }
    const [left, right] = await two(counted)
    log.faults.hold()
    const answers = [left.handle(merchantSlice, register('left')), right.handle(merchantSlice, register('right'))]
    await until('both have decided', () => appends === 2)
    log.faults.release()
    const [first, second] = await Promise.all(answers)
    expect([first?.accepted, second?.accepted].toSorted()).toEqual([false, true])
    await Promise.all([left.states.readIndex('m_1'), right.states.readIndex('m_1')])
    const state = left.states.stateOf(merchantSlice, 'm_1')
    expect(state.registered).toBe(true)
    expect(right.states.stateOf(merchantSlice, 'm_1')).toEqual(state)
    expect(await recordsIn(log)).toHaveLength(2)
    expect(left.states.versionOf('m_1', 'merchant')).toBe(1)
  })

  test('many who add to one list from two processes: every addition that was accepted stands where it was decided', async () => {
    const log = createMemoryLog()
    const sides = await two(log)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        sides[i % 2]?.handle(listSlice, add(...Array.from({ length: 1 + (i % 3) }, (_x, n) => `c${i}.${n}`))),
      ),
    )
    const accepted = answers.filter((answer) => answer?.accepted).length
    expect(accepted).toBeGreaterThan(0)
    for (const answer of answers) if (answer?.accepted === false) expect(answer.rejection).toEqual({ code: 'CONFLICT' })
    const states = await Promise.all(
      sides.map(async ({ states: side }) => {
        await side.readIndex('m_1')
        return side.stateOf(listSlice, 'm_1')
      }),
    )
    expect(states[0]).toEqual(states[1])
    expect(states[0]?.map((name) => Number(name.split('@')[1]))).toEqual(states[0]?.map((_, index) => index))
    const commands = new Set(states[0]?.map((name) => name.split('.')[0]))
    expect(commands.size).toBe(accepted)
  })

  test('commands of one process do not conflict among themselves', async () => {
    const { handle, states } = await startCommandSide('left', createMemoryLog(), createStore())
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => handle(listSlice, add(`f${i}`))))
    expect(answers.every(({ accepted }) => accepted)).toBe(true)
    expect(states.stateOf(listSlice, 'm_1')).toHaveLength(50)
  })

  test('slices that commute carry no version, and all of them take effect', async () => {
    const log = createMemoryLog()
    const store = createStore()
    const sides = [
      await startCommandSide('left', log, store, [commutingSlice]),
      await startCommandSide('right', log, store, [commutingSlice]),
    ]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => sides[i % 2]?.handle(commutingSlice, add(`f${i}`))))
    expect(answers.every((answer) => answer?.accepted)).toBe(true)
    expect((await recordsIn(log)).every(({ headers }) => headers.expectedVersion === undefined)).toBe(true)
    await sides[0]?.states.readIndex('m_1')
    expect(sides[0]?.states.stateOf(commutingSlice, 'm_1')).toHaveLength(20)
  })

  test('somebody else is faster every time: CONFLICT after a few attempts', async () => {
    const log = createMemoryLog()
    let rivals = 0
    const rivalled: EventLog = {
      ...log,
      append: async (topic, records) => {
        rivals += 1
        await log.append('config', [recordOf(enabled('m_1', 'rival'), `rival-${rivals}`)])
        return await log.append(topic, records)
      },
    }
    const { handle, states } = await startCommandSide('left', rivalled, createStore())
    expect(await handle(listSlice, add('mine'))).toEqual({ accepted: false, rejection: { code: 'CONFLICT' } })
    expect(rivals).toBe(5)
    expect(states.stateOf(listSlice, 'm_1')).toEqual(['rival', 'rival', 'rival', 'rival', 'rival'])
  })

  test('a command is decided on everything that stands in the log, also from elsewhere (law 6)', async () => {
    const log = createMemoryLog()
    const { handle } = await startCommandSide('left', log, createStore())
    await log.append('config', [
      recordOf({ type: 'MerchantRegistered', data: { merchantId: 'm_1', name: null, deciderInput: null, at: 1 } }, 'elsewhere'),
    ])
    expect(await handle(merchantSlice, register('mine'))).toEqual({ accepted: false, rejection: { code: 'TAKEN' } })
  })

  test('the log is away: the operating error goes up', async () => {
    const log = createMemoryLog()
    const { handle } = await startCommandSide('left', log, createStore())
    log.faults.failNextAppends(1)
    await expect(handle(merchantSlice, register('a'))).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
    expect((await handle(merchantSlice, register('a'))).accepted).toBe(true)
  })

  test('only the answer got lost: the command may have taken effect, and sent again it is decided on that', async () => {
    const log = createMemoryLog()
    const { handle } = await startCommandSide('left', log, createStore())
    log.faults.loseNextAnswers(1)
    await expect(handle(merchantSlice, register('a'))).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    expect(await handle(merchantSlice, register('a'))).toEqual({ accepted: false, rejection: { code: 'TAKEN' } })
  })
})

describe('stream states', () => {
  const failures: unknown[] = []
  const statesOver = (log: EventLog, timers = createManualTimers()): RunningStreamStates =>
    createStreamStates({ log, store: createStore(), codec, slices: sampleSlices, onFailure: (error) => void failures.push(error), timers })

  test('what a log wrote twice took effect once, and is no conflict of a command with itself', async () => {
    const log = createMemoryLog()
    const doubling: EventLog = {
      ...log,
      append: async (topic, records) => {
        await log.append(topic, records)
        return await log.append(topic, records)
      },
    }
    const { handle } = await startCommandSide('left', doubling, createStore())
    expect(await handle(merchantSlice, register('a'))).toMatchObject({ accepted: true, state: { registered: true, input: 'a' } })
    expect(await handle(listSlice, add('a', 'b'))).toMatchObject({ accepted: true, state: ['a@0', 'b@1'] })
    expect(await recordsIn(log)).toHaveLength(6)
  })

  test('unreadable records are passed by', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const states = statesOver(log)
    await log.append('config', [recordOf(enabled('m_1', 'a'), '1'), poisonRecord('m_1', '2'), recordOf(enabled('m_1', 'b'), '3')])
    await states.start()
    await log.append('config', [poisonRecord('m_1', '4'), recordOf(enabled('m_1', 'c'), '5')])
    await states.readIndex('m_1')
    expect(states.stateOf(listSlice, 'm_1')).toEqual(['a', 'b', 'c'])
    await states.stop()
  })

  test('listeners hear of every key that is known and of every change that took effect', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    const states = statesOver(log)
    await log.append('config', [recordOf(enabled('m_1', 'a'), '1', 0)])
    await states.start()
    const heard: string[] = []
    states.onChange((key) => void heard.push(key))
    await log.append('config', [recordOf(enabled('m_1', 'late'), '2', 0), recordOf(enabled('m_2', 'b'), '3', 0)])
    await states.readIndexOfAll()
    expect(heard).toEqual(['m_1', 'm_2'])
    await states.stop()
  })

  test('read indexes of one partition share their questions, and none uses an answer older than itself', async () => {
    const log = createMemoryLog({ partitionCount: 1 })
    let asked = 0
    const counted: EventLog = {
      ...log,
      endPosition: (topic, key) => {
        asked += 1
        return log.endPosition(topic, key)
      },
    }
    const states = statesOver(counted)
    await log.append('config', [recordOf(enabled('m_1', 'a'), '1'), recordOf(enabled('m_2', 'a'), '2')])
    await states.start()
    await Promise.all(Array.from({ length: 100 }, (_, i) => states.readIndex(`m_${1 + (i % 2)}`)))
    expect(asked).toBe(2)
    const early = states.readIndex('m_1')
    await log.append('config', [recordOf(enabled('m_1', 'b'), '3')])
    await states.readIndex('m_1')
    expect(states.stateOf(listSlice, 'm_1')).toEqual(['a', 'b'])
    await early
    await states.stop()
  })

  test('a failed question to the log fails its askers only', async () => {
    const log = createMemoryLog()
    let failing = true
    const states = statesOver({
      ...log,
      endPosition: async (topic, key) => {
        if (failing) throw new OperatingError('LOG_UNAVAILABLE', 'away', { retryable: true })
        return await log.endPosition(topic, key)
      },
    })
    await states.start()
    await expect(states.readIndex('m_1')).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    failing = false
    await states.readIndex('m_1')
    await states.stop()
  })

  test('waiting for a position that does not come ends at the bound', async () => {
    const timers = createManualTimers()
    const states = statesOver(createMemoryLog(), timers)
    await states.start()
    const waiting = states.waitFor({ partition: 0, offset: 5 }).catch(({ code, retryable }) => ({ code, retryable }))
    timers.advance(5_000)
    expect(await waiting).toEqual({ code: 'POSITION_NOT_REACHED', retryable: true })
    expect(timers.pendingCount()).toBe(0)
    await states.stop()
  })

  test('a tail that fails refuses those who wait, and says so', async () => {
    const log = createMemoryLog()
    const broken = {
      ...listSlice,
      evolve: () => {
        throw new Error('a bug')
      },
    }
    const reported: unknown[] = []
    const states = createStreamStates({
      log,
      store: createStore(),
      codec,
      slices: [broken],
      onFailure: (error) => void reported.push(error),
    })
    await states.start()
    const [position] = await log.append('config', [recordOf(enabled('m_1', 'a'), '1')])
    await expect(states.waitFor(position ?? { partition: 0, offset: 0 })).rejects.toMatchObject({ code: 'POSITION_NOT_REACHED' })
    expect(reported).toEqual([expect.objectContaining({ message: 'a bug' })])
    await states.stop()
  })

  test('records are watched only while a command waits for them', async () => {
    const states = statesOver(createMemoryLog())
    await states.start()
    const watches = Array.from({ length: 20 }, (_, i) => states.watch(Array.from({ length: 1_000 }, idsOf(`watch-${i}`))))
    expect(() => states.watch(['one more'])).toThrow(expect.objectContaining({ code: 'APPEND_BUFFER_FULL' }))
    for (const watch of watches) watch.release()
    expect(states.watch(['one more']).tookEffect()).toBe(false)
    await states.stop()
  })

  test('a slice that emits an event of nobody is a bug', async () => {
    const log = createMemoryLog()
    const { states } = await startCommandSide('left', log, createStore())
    const handle = createCommandHandler({ log, codec, states, newId: idsOf('x') })
    const stray = { ...listSlice, decide: () => ({ accepted: true as const, events: [JSON.parse('{"type":"Stray","data":{}}')] }) }
    await expect(handle(stray, add('a'))).rejects.toMatchObject({ name: 'AssertionFailed' })
  })
})
