import { type CredentialDirectory, createCredentialDirectory, merchants } from '@switchyard/access'
import { createKeySpace, type KeySpace } from '@switchyard/kernel'
import {
  createCommandHandler,
  createStreamStates,
  type HandleCommand,
  type Part,
  type RunningStreamStates,
  type Settings,
} from '@switchyard/runtime'
import { domainSlices, slicesOfDecisions } from './domain.ts'
import { type Engines, newId, traces, type Voices } from './surroundings.ts'

/** The topic `config` in a process: its states in memory, the commands that change it, the credentials in it. */
export interface Configuration {
  readonly states: RunningStreamStates
  readonly handle: HandleCommand
  readonly directory: CredentialDirectory
  /** The keys of the topic, shared with whoever keeps something of the same merchants. */
  readonly keys: KeySpace
  readonly part: Part
}

/** The one {@link Configuration} of a process. */
export const createConfiguration = (
  { log, store, codec }: Engines,
  { onFailure }: Pick<Voices, 'onFailure'>,
  { people }: Pick<Settings, 'people'>,
): Configuration => {
  const keys = createKeySpace()
  const states = createStreamStates({ log, store, codec, slices: domainSlices, keys, together: slicesOfDecisions, onFailure })
  const lifeOf = (key: string): number => states.stateOf(merchants, key).registrationCount
  return {
    states,
    handle: createCommandHandler({ log, codec, states, newId, lifeOf, traceOf: traces.of }),
    directory: createCredentialDirectory(states, people, keys),
    keys,
    part: { name: 'configuration', start: states.start, stop: states.stop },
  }
}
