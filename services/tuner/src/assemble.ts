import { merchants } from '@switchyard/access'
import { type Configuration, newId, now } from '@switchyard/composition'
import type { EventLog, Position } from '@switchyard/kernel'
import type { Part } from '@switchyard/runtime'
import { createTuner, type TunerDependencies } from './tuner.ts'

/** What a process has for this service. */
export interface TunerSurroundings extends Pick<TunerDependencies, 'queries' | 'report' | 'settings'> {
  readonly configuration: Pick<Configuration, 'states' | 'handle'>
  readonly log: Pick<EventLog, 'endPosition'>
  /** Waits until the documents that the queries read include a position of the topic `payments`. */
  readonly projectedUpTo: (position: Position) => Promise<void>
}

/** The tuner in a process, alone or beside others. */
export const assembleTuner = ({ configuration: { states, handle }, log, projectedUpTo, ...rest }: TunerSurroundings): Part =>
  createTuner({
    ...rest,
    states,
    handle,
    caughtUp: async (merchantId) => projectedUpTo(await log.endPosition('payments', merchantId)),
    lifeOf: (merchantId) => states.stateOf(merchants, merchantId).registrationCount,
    historySinceOf: (merchantId) => states.stateOf(merchants, merchantId).historySince,
    now,
    newId,
  }).part
