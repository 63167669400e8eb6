import { describe, expect, test } from '@jest/globals'
import { createBreaths } from './breaths.ts'

/** A thread whose every step takes `stepMs`, of which it waits `waitingShare` for a core, on a machine that may not tell. */
const working = ({ stepMs, waitingShare }: { readonly stepMs: number; readonly waitingShare: number | undefined }) => {
  let nowMs = 0
  const rests: number[] = []
  const breathe = createBreaths({
    monotonicMs: () => nowMs,
    waitedMs: () => (waitingShare === undefined ? undefined : nowMs * waitingShare),
    rest: (ms) => {
      rests.push(nowMs)
      nowMs += ms
    },
  })
  const workFor = (ms: number): readonly number[] => {
    rests.length = 0
    for (const end = nowMs + ms; nowMs < end; nowMs += stepMs) breathe()
    return [...rests]
  }
  return { workFor }
}

describe('breaths', () => {
  test('a thread that has its core for itself never rests', () => {
    expect(working({ stepMs: 0.1, waitingShare: 0 }).workFor(1_000)).toEqual([])
  })

  test('nobody rests where nobody tells how full the machine is', () => {
    expect(working({ stepMs: 0.1, waitingShare: undefined }).workFor(1_000)).toEqual([])
  })

  test('on a full machine there is a rest between stretches of half a millisecond, once it was seen to be full', () => {
    const { workFor } = working({ stepMs: 0.1, waitingShare: 0.2 })
    workFor(100)
    const rests = workFor(100)
    const stretches = rests.slice(1).map((atMs, i) => atMs - Number(rests[i]))
    expect(rests.length).toBeGreaterThan(150)
    expect(Math.max(...stretches)).toBeLessThan(0.5 + 2 * 0.1)
    expect(Math.min(...stretches)).toBeGreaterThan(0.5)
  })

  test('a step that takes longer has its rest behind it', () => {
    const { workFor } = working({ stepMs: 3, waitingShare: 0.2 })
    workFor(150)
    expect(workFor(300).length).toBeGreaterThan(90)
  })

  test('the resting ends when the others have gone', () => {
    let nowMs = 0
    let othersMs = 0
    const rests: number[] = []
    const breathe = createBreaths({ monotonicMs: () => nowMs, waitedMs: () => othersMs, rest: () => void rests.push(nowMs) })
    for (; nowMs < 1_000; nowMs += 1) {
      if (nowMs < 500) othersMs += 0.5
      breathe()
    }
    expect(rests.length).toBeGreaterThan(400)
    expect(Math.max(...rests)).toBeLessThan(601)
  })
})
