import { EventEmitter } from 'node:events'
import { expect, test } from '@jest/globals'
import { createParentWatch, createSignalNote } from '../../tools/parent-watch.mjs'

/** A process under a parent, and looks at it. */
const watched = () => {
  const events = new EventEmitter()
  const state = { parent: 100, stops: 0 }
  const hasSignal = createSignalNote(events)
  const look = createParentWatch({ parentPid: () => state.parent, hasSignal, stop: () => (state.stops += 1) })
  return { events, state, look }
}

test('npm that was told to end leaves no service behind: it hands the signal to a shell that keeps it to itself', () => {
  const { state, look } = watched()
  look()
  look()
  expect(state.stops).toBe(0)
  state.parent = 1
  look()
  look()
  look()
  expect(state.stops).toBe(1)
})

test('a signal to npm, its shell and the service cut off requests under way: the end of the shell was told to the service as a second one', () => {
  const { events, state, look } = watched()
  events.once('SIGTERM', () => {})
  look()
  // The supervisor takes the signals over.
  events.removeAllListeners('SIGTERM').on('SIGTERM', () => {})
  look()
  state.parent = 1
  look()
  events.emit('SIGTERM')
  look()
  look()
  expect(state.stops).toBe(0)
})

test('a signal that nobody listens to yet ends the process by itself', () => {
  const { events, look } = watched()
  look()
  expect(events.eventNames()).toEqual([])
})
