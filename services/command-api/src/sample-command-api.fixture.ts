import { randomBytes } from 'node:crypto'
import { apiKeys, createCredentialDirectory, merchants, sessions, users } from '@switchyard/access'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { createGate, createHttpServer, createPasswords, createSessionTokens } from '@switchyard/http'
import type { EventLog, LogRecord, Now, ReadStore } from '@switchyard/kernel'
import {
  createRuleEvaluator,
  debitRouting,
  debitRoutingDefaults,
  eliminationSettings,
  featureFlags,
  routingAlgorithms,
  scoringDimensions,
  successRateScoring,
} from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { createCommandHandler, createNewId, createStreamStates } from '@switchyard/runtime'
import { createCommandApi } from './command-api.ts'

/** For tests: the whole command API behind HTTP, on the engines given. */
export interface SampleCommandApi {
  readonly url: string
  /** Types and actors of all events in the log, in the order of their keys' partitions. */
  readonly events: () => Promise<readonly { readonly type: string; readonly actor: string | undefined; readonly data: object }[]>
  /** What was logged or failed behind the API since the last call. */
  readonly takeFailures: () => readonly unknown[]
  /** Rejects when something failed that {@link takeFailures} did not take. */
  readonly stop: () => Promise<void>
}

/** The secret that makes an admin in tests. */
export const SAMPLE_ADMIN_SECRET = 'test_admin'

const SESSION_LIFETIME_MS = 86_400_000
const CHEAP_COST = { memoryKib: 64, passCount: 1, laneCount: 1 }

/** Starts it on a free port. */
export const startSampleCommandApi = async (log: EventLog, store: ReadStore, now: Now): Promise<SampleCommandApi> => {
  const codec = createEventCodec(publishedSchemaIds(), { strict: true })
  const newId = createNewId(now, randomBytes)
  const accessSlices = [merchants, apiKeys, users, sessions]
  const routingSlices = [
    featureFlags,
    debitRouting,
    successRateScoring,
    scoringDimensions,
    eliminationSettings,
    debitRoutingDefaults,
    routingAlgorithms,
  ]
  const failures: unknown[] = []
  const states = createStreamStates({
    log,
    store,
    codec,
    slices: [...accessSlices, ...routingSlices],
    onFailure: (error) => failures.push(error),
  })
  const directory = createCredentialDirectory(states)
  const tokens = createSessionTokens({ secret: 's'.repeat(32), now, newId, lifetimeMs: SESSION_LIFETIME_MS })
  const { routes } = createCommandApi({
    handle: createCommandHandler({ log, codec, states, newId }),
    states,
    evaluator: createRuleEvaluator(loadRuleData({ routingKeys: undefined, eligibility: undefined }).catalogue),
    directory,
    tokens,
    passwords: createPasswords({ cost: CHEAP_COST }),
    forgetScores: () => Promise.resolve(),
    now,
    newId,
    randomBytes,
    settings: { superAdminEmails: ['Boss@Example.test'] },
  })
  const gate = createGate({
    directory,
    tokens,
    adminSecret: SAMPLE_ADMIN_SECRET,
    tenants: ['public'],
    now,
    refreshMerchant: states.readIndex,
  })
  const server = createHttpServer({ routes, gate, newId, now, logger: { error: (fields) => failures.push(fields) } })
  await states.start()
  const { url } = await server.listen(0, '127.0.0.1')

  return {
    url,
    events: async () => {
      const records: LogRecord[] = []
      for await (const batch of log.read('config', new Map())) records.push(...batch)
      return records.map(({ value, headers: { actor } }) => ({ ...codec.decode(value), actor }))
    },
    takeFailures: () => failures.splice(0),
    stop: async () => {
      await server.close()
      await states.stop()
      if (failures.length > 0) throw new AggregateError(failures, 'something failed behind the API')
    },
  }
}
