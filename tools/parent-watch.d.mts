import type { EventEmitter } from 'node:events'

/** Looks whether the process that started this one is still there, and stops once when it is not, unless a signal has done so already. */
export declare const createParentWatch: (dependencies: {
  readonly parentPid: () => number
  readonly hasSignal: () => boolean
  readonly stop: () => void
}) => () => void

/** Whether a signal has come that ends the service; ask regularly. */
export declare const createSignalNote: (events: Pick<EventEmitter, 'listeners' | 'on'>) => () => boolean
