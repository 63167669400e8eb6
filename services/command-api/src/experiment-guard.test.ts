import { describe, expect, test } from '@jest/globals'
import { type ExperimentTally, experimentTallies } from '@switchyard/analytics'
import { OperatingError } from '@switchyard/kernel'
import { printDefinition, type RoutingAlgorithms, type RoutingAlgorithmsCommand } from '@switchyard/routing'
import type { HandleCommand } from '@switchyard/runtime'
import { createExperimentGuard } from './experiment-guard.ts'

const arm = (resolved: number, successes: number): ExperimentTally['control'] => ({
  assigned: resolved,
  resolved,
  successes,
  firstSuccesses: successes,
  latencyCount: 0,
  latencySumMs: 0,
})
const empty = experimentTallies.initialView(['m_1', 'e_1', 'whole'])
const LOSING: ExperimentTally = { ...empty, control: arm(500, 450), variant: arm(500, 300) }
const UNCERTAIN: ExperimentTally = { ...empty, control: arm(500, 450), variant: arm(500, 430) }

const merchantWith = (autoStop: boolean): RoutingAlgorithms => {
  const plan = { algorithmId: 'sr_routing', overrides: null }
  const rules = { variantSplitPercent: 20, minSampleSize: 1_000, guardrailThresholdPp: 3, autoStop }
  const definition = printDefinition({ kind: 'AB_TEST', experiment: { control: plan, variant: plan, ...rules } })
  const life = { startedAt: 40, endedAt: null, ending: null, promotedArm: null }
  const stored = { id: 'e_1', name: 'e', description: '', purpose: 'PAYMENT', kind: 'AB_TEST', createdAt: 1, modifiedAt: 1 } as const
  return { registered: true, algorithms: [{ ...stored, definition, life }], active: [{ purpose: 'PAYMENT', algorithmId: 'e_1' }] }
}

const guardOver = (merchant: RoutingAlgorithms, tallyOf: (startMs: number | undefined) => ExperimentTally) => {
  const sent: { key: string; command: RoutingAlgorithmsCommand; actor: string }[] = []
  const failures: unknown[] = []
  let notify: (key: string) => void = () => {}
  let current = merchant
  const handle: HandleCommand = (_, { key, command, origin }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guard sends commands of one slice
    sent.push({ key, command: command as RoutingAlgorithmsCommand, actor: origin.actor })
    return Promise.resolve({ accepted: false, rejection: { code: 'CONFLICT' } })
  }
  const guard = createExperimentGuard({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guard reads one slice
    states: { stateOf: <State>() => current as State, onChange: (listener) => (notify = listener) },
    handle,
    queries: {
      experimentFigures: async (_, { startMs }) => ({
        tally: tallyOf(startMs),
        freshness: { asOfMs: 0, positions: [], truncated: false },
      }),
    },
    historySinceOf: () => 0,
    now: () => 99,
    newId: () => 'r_1',
    report: { info: () => {}, failed: (_, error) => failures.push(error) },
  })
  const change = (state: RoutingAlgorithms): void => {
    current = state
    notify('m_1')
  }
  change(merchant)
  return { guard, sent, failures, change }
}

describe('the guard of experiments', () => {
  test('stops a live experiment that asks for it, when the loss is certain; by what came since its start', async () => {
    const starts: (number | undefined)[] = []
    const { guard, sent } = guardOver(merchantWith(true), (startMs) => {
      starts.push(startMs)
      return LOSING
    })
    await guard.check()
    expect(starts).toEqual([40])
    expect(sent).toEqual([
      {
        key: 'm_1',
        actor: 'system:experiment-guard',
        command: {
          type: 'StopExperiment',
          merchantId: 'm_1',
          algorithmId: 'e_1',
          startedAt: 40,
          at: 99,
          breach: {
            gainAtMostPp: expect.any(Number),
            controlResolvedCount: 500,
            controlSuccessCount: 450,
            variantResolvedCount: 500,
            variantSuccessCount: 300,
          },
        },
      },
    ])
  })

  test.each([
    ['asks for nothing', merchantWith(false), LOSING],
    ['may only seem to lose', merchantWith(true), UNCERTAIN],
    ['has no payments', merchantWith(true), empty],
    ['is not live', { ...merchantWith(true), active: [] }, LOSING],
  ])('leaves one alone that %s', async (_, merchant, tally) => {
    const { guard, sent } = guardOver(merchant, () => tally)
    await guard.check()
    expect(sent).toEqual([])
  })

  test('does not hold the run before against one that was started again in the same minute', async () => {
    const starts: (number | undefined)[] = []
    const { guard, sent } = guardOver(merchantWith(true), (startMs) => {
      starts.push(startMs)
      return startMs === 40 ? { ...LOSING, firstAssignedMs: 39 } : empty
    })
    await guard.check()
    expect([starts, sent]).toEqual([[40, 60_000], []])
  })

  test('forgets one that has ended', async () => {
    const { guard, sent, change } = guardOver(merchantWith(true), () => LOSING)
    change({ ...merchantWith(true), active: [] })
    await guard.check()
    expect(sent).toEqual([])
  })

  test('goes on when figures can not be read', async () => {
    const away = new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })
    let isAway = true
    const { guard, sent, failures } = guardOver(merchantWith(true), () => {
      if (isAway) throw away
      return LOSING
    })
    await guard.check()
    expect([sent, failures]).toEqual([[], [away]])
    isAway = false
    await guard.check()
    expect(sent).toHaveLength(1)
  })

  test('ends when it is told to', async () => {
    const { guard, sent } = guardOver(merchantWith(true), () => LOSING)
    await guard.part.start(new AbortController().signal)
    await guard.part.stop()
    expect(sent).toHaveLength(1)
  })
})
