import { describe, expect, test } from '@jest/globals'
import { OperatingError, type Positions } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { createManualTimers, type ManualTimers, turn } from '@switchyard/testing'
import { createGenerationProjector, type GenerationProjector } from './generation-projector.ts'
import { changeGenerations, GENERATION_AGE_MAX_MS, GENERATIONS_COLLECTION } from './generations.ts'
import { POSITION_WAIT_MAX_MS } from './limits.ts'
import type { Projector } from './projector.ts'

const turns = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await turn()
}

/** Is as far as these positions and comes no further, whatever is waited for: its store is away. */
const projectorAt = (positions: Positions): Projector => {
  let endWaits: () => void = () => {}
  const stopped = new Promise<void>((resolve) => {
    endWaits = resolve
  })
  let state: 'running' | 'stopped' = 'running'
  return {
    start: async () => {},
    stop: async () => {
      state = 'stopped'
      endWaits()
    },
    status: async () => ({ topic: 'payments', state, positions, lagCount: 0, lastFlushedAt: null, deadLetterCount: 0 }),
    isCaughtUp: async () => true,
    caughtUp: async () => {},
    projectedUpTo: async () => {
      await stopped
      throw new OperatingError('POSITION_NOT_REACHED', 'the reader has ended', { retryable: true })
    },
    storedUpTo: async () => {},
    processedUpTo: async () => {},
    view: async (projection, key) => projection.initialView(key),
  }
}

/** A projector that is about to go over to the second generation, which stays behind the first one. */
const changingOver = async (): Promise<{ readonly projector: GenerationProjector; readonly timers: ManualTimers }> => {
  const store = createMemoryStore({ collections: [GENERATIONS_COLLECTION, 'figures'].map((name) => ({ name, indexes: [] })) })
  const timers = createManualTimers()
  const projectors = [projectorAt(new Map([[0, 10]])), projectorAt(new Map([[0, 5]]))]
  const projector = createGenerationProjector({
    topic: 'payments',
    store,
    create: () => projectors.shift() ?? projectorAt(new Map()),
    isShared: false,
    onFailure: (error) => {
      throw error
    },
    timers,
  })
  await projector.start()
  await changeGenerations(store, 'payments', () => ({ current: 2, building: null, stored: [1, 2] }))
  timers.advance(GENERATION_AGE_MAX_MS)
  await turns()
  return { projector, timers }
}

describe('a projector that goes over to a generation while the store is away', () => {
  test('was not stopped before the store came back', async () => {
    const { projector } = await changingOver()
    let isStopped = false
    void projector.stop().then(() => {
      isStopped = true
    })
    await turns()
    expect(isStopped).toBe(true)
  })

  test('held up reads without end: they are told to come again', async () => {
    const { projector, timers } = await changingOver()
    const read = projector.readModels.get('figures', ['m_1']).catch((error: unknown) => error)
    await turns()
    timers.advance(POSITION_WAIT_MAX_MS)
    expect(await read).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true })
  })
})
