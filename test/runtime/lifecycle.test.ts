import { EventEmitter } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { createLifecycle, type Part, superviseProcess } from '@switchyard/runtime'
import { createManualTimers, turn, until } from './support/manual-timers.ts'

const createStage = () => {
  const heard: string[] = []
  const report = { info: (text: string) => void heard.push(text), failed: (text: string) => void heard.push(text) }
  const part = (name: string, change: Partial<Part> = {}): Part => ({
    name,
    start: async () => void heard.push(`start ${name}`),
    stop: async () => void heard.push(`stop ${name}`),
    ...change,
  })
  return { heard, report, part }
}

const fail = async (): Promise<void> => {
  throw new Error('no')
}

describe('lifecycle', () => {
  test('parts start in order and stop in reverse, once', async () => {
    const { heard, report, part } = createStage()
    const lifecycle = createLifecycle([part('log'), part('fold'), part('http')], report)
    await lifecycle.start()
    await lifecycle.stop()
    await lifecycle.stop()
    expect(heard).toEqual(['start log', 'start fold', 'start http', 'stop http', 'stop fold', 'stop log'])
  })

  test('a part that does not start stops those before it', async () => {
    const { heard, report, part } = createStage()
    const lifecycle = createLifecycle([part('log'), part('fold', { start: fail }), part('http')], report)
    await expect(lifecycle.start()).rejects.toThrow('no')
    expect(heard).toEqual(['start log', 'stop log'])
  })

  test('a part that fails to stop, or hangs, does not keep the others', async () => {
    const { heard, report, part } = createStage()
    const timers = createManualTimers()
    const parts = [part('log'), part('fails', { stop: fail }), part('hangs', { stop: () => new Promise(() => {}) })]
    const lifecycle = createLifecycle(parts, report, timers)
    await lifecycle.start()
    const stopped = lifecycle.stop()
    await turn()
    timers.advance(10_000)
    await stopped
    expect(heard.slice(3)).toEqual(['hangs did not stop cleanly', 'fails did not stop cleanly', 'stop log'])
  })

  test('a stop in the middle of the start: the part under way is stopped too, and no further one is started', async () => {
    const { heard, report, part } = createStage()
    let goOn = (): void => {}
    const slow = (): Promise<void> => new Promise((resolve) => (goOn = resolve))
    const lifecycle = createLifecycle([part('log'), part('fold', { start: slow }), part('http')], report)
    const started = lifecycle.start()
    await turn()
    const stopped = lifecycle.stop()
    await turn()
    expect(heard).toEqual(['start log'])
    goOn()
    await Promise.all([started, stopped])
    expect(heard).toEqual(['start log', 'stop fold', 'stop log'])
  })

  test('a start that fails while it is being stopped is reported, and the stop stays graceful', async () => {
    const { heard, report, part } = createStage()
    let giveUp = (_error: Error): void => {}
    const slow = (): Promise<void> => new Promise((_resolve, reject) => (giveUp = reject))
    const lifecycle = createLifecycle([part('log'), part('fold', { start: slow })], report)
    const started = lifecycle.start()
    await turn()
    const stopped = lifecycle.stop()
    giveUp(new Error('no'))
    await Promise.all([started, stopped])
    expect(heard).toEqual(['start log', 'stopped during the start', 'stop log'])
  })
})

describe('process', () => {
  const unsupervised = (stop: () => Promise<void>) => {
    const { heard, report } = createStage()
    const events = new EventEmitter()
    const exits: number[] = []
    const supervise = () =>
      superviseProcess({ lifecycle: { start: async () => {}, stop }, events, exit: (code) => void exits.push(code), report })
    return { exits, heard, events, supervise, send: (event: string) => void events.emit(event, new Error('bug')) }
  }
  const supervised = (stop: () => Promise<void>) => {
    const stage = unsupervised(stop)
    stage.supervise()
    return stage
  }

  test.each(['SIGTERM', 'SIGINT'])('%s stops gracefully, then exits with 0', async (signal) => {
    let stopped = false
    const { exits, send } = supervised(async () => {
      await turn()
      stopped = true
    })
    send(signal)
    expect(exits).toEqual([])
    await until('the exit', () => exits.length > 0)
    expect(stopped).toBe(true)
    expect(exits).toEqual([0])
  })

  test('the second signal exits at once', () => {
    const { exits, send } = supervised(() => new Promise(() => {}))
    send('SIGTERM')
    send('SIGINT')
    expect(exits).toEqual([1])
  })

  test.each(['SIGTERM', 'SIGINT'])(
    '%s that has come, but was not told yet, is not forgotten: it has a listener at every moment',
    async (signal) => {
      const { events, exits, supervise, send } = unsupervised(async () => {})
      const earlier: string[] = []
      const leftWith: number[] = []
      events.once(signal, () => earlier.push(signal))
      events.on('removeListener', (event) => void (event === signal && leftWith.push(events.listenerCount(signal))))
      supervise()
      send(signal)
      await until('the exit', () => exits.length > 0)
      expect({ earlier, leftWith, exits }).toEqual({ earlier: [], leftWith: [1], exits: [0] })
    },
  )

  test.each(['uncaughtException', 'unhandledRejection'])('%s is told and ends the process', (event) => {
    const { exits, heard, send } = supervised(async () => {})
    send(event)
    expect(exits).toEqual([1])
    expect(heard).toEqual(['the process ends because of a bug'])
  })
})
