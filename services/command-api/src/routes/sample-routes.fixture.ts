import { randomBytes } from 'node:crypto'
import { runtimeCollections } from '@switchyard/composition'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds, type SwitchyardEvent } from '@switchyard/events'
import type { Route, RouteReply } from '@switchyard/http'
import type { NewId, Now } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import {
  createCommandHandler,
  createNewId,
  createStreamStates,
  type FoldedSlice,
  type HandleCommand,
  type RunningStreamStates,
} from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'

/** For tests: the merchant that is registered. */
export const SAMPLE_MERCHANT = 'm_1'

/** For tests: what routes work with. */
interface SampleRouteDependencies {
  readonly handle: HandleCommand
  readonly states: RunningStreamStates
  /** A millisecond later each time. */
  readonly now: Now
  readonly newId: NewId
}

/** For tests: what is asked of a route. */
interface SampleRequest {
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
}

/** For tests: routes without HTTP, on engines in memory. */
export interface SampleRoutes {
  /** The answer of the route with this pattern, as a client would see it; `params` that are not given name the merchant. */
  readonly call: (pattern: string, sent?: SampleRequest) => Promise<RouteReply>
  readonly stop: () => Promise<void>
}

/** Starts them on states of these slices, with {@link SAMPLE_MERCHANT} registered. */
export const startSampleRoutes = async (
  slices: readonly FoldedSlice[],
  routesOf: (dependencies: SampleRouteDependencies) => readonly Route[],
): Promise<SampleRoutes> => {
  let clock = 0
  const now = (): number => Date.UTC(2031, 1, 3, 4, 5, clock++)
  const codec = createEventCodec(publishedSchemaIds(), { strict: true })
  const log = createMemoryLog()
  const store = createMemoryStore({ collections: runtimeCollections })
  const newId = createNewId(() => 0, randomBytes)
  const onFailure = (error: unknown): void => {
    throw error
  }
  const states = createStreamStates({ log, store, codec, slices, onFailure })
  await states.start()
  const routes = routesOf({ handle: createCommandHandler({ log, codec, states, newId }), states, now, newId })
  const data = { merchantId: SAMPLE_MERCHANT, name: null, deciderInput: null, at: now() }
  const registered: SwitchyardEvent = { type: 'MerchantRegistered', data }
  const headers = { id: newId(), type: EVENT_CATALOGUE[registered.type].subject }
  await log.append('config', [{ key: SAMPLE_MERCHANT, value: codec.encode(registered), headers }])

  return {
    call: async (pattern, sent = {}) => {
      const route = routes.find(({ spec }) => `${spec.method} ${spec.path}` === pattern)
      if (route === undefined) throw new Error(`no route ${pattern}`)
      const reply = await route.handle({
        params: { merchantId: SAMPLE_MERCHANT, createdBy: SAMPLE_MERCHANT, ...sent.params },
        query: new URLSearchParams(sent.query),
        body: sent.body,
        headers: {},
        identity: { kind: 'admin' },
        requestId: 'req_1',
        receivedAt: 0,
        remoteAddress: () => '127.0.0.1',
      })
      return JSON.parse(JSON.stringify(reply)) as RouteReply
    },
    stop: states.stop,
  }
}
