import { merchants } from '@switchyard/access'
import { costIngestions, INGESTION_LIST_COUNT_MAX, type Ingestion, LISTED_INDEX } from '@switchyard/costs'
import { pause, systemTimers } from '@switchyard/runtime'
import type { Fitter } from './fitting/fitter.ts'
import type { IngestionWorker } from './ingesting/worker.ts'
import { INGESTION, type IngestionPlace } from './journal.ts'
import { REFIT_WAIT_MAX_MS } from './limits.ts'
import type { Answer, CostOperations } from './operations.ts'
import type { Parts } from './parts.ts'

/** Registrations count from 1: of this one nothing is stored. */
const NO_LIFE = 0

/** The registration of a merchant id that is meant now: none where the last one is over, nobody is to see what it left behind. */
export const lifeOf = async ({ states }: Pick<Parts, 'states'>, merchantId: string): Promise<number> => {
  await states.readIndex(merchantId)
  const { registered, registrationCount } = states.stateOf(merchants, merchantId)
  return registered ? registrationCount : NO_LIFE
}

const isShown = ({ status }: Ingestion): boolean => status !== 'ABSENT' && status !== 'DELETED'

const hadCounted = ({ status }: Ingestion): boolean => status === 'INGESTED' || status === 'COMPLETED'

const NOT_FOUND: Answer<never> = { ok: false, refusal: 'INGESTION_NOT_FOUND' }

/** Waits for the fit without its report, within a bound: it is made anyway. */
const refit = async ({ report }: Parts, fitter: Fitter, before: Ingestion): Promise<void> => {
  const done = new AbortController()
  const fitting = fitter
    .learn(before)
    .catch((error: unknown) => report.failed('costs could not be learned without a deleted report; they will be', error))
    .finally(() => done.abort())
  await Promise.race([fitting, pause(systemTimers, REFIT_WAIT_MAX_MS, done.signal)])
}

/** Ingestions: accepting, listing, deleting (cost.md 3.5). */
export const createIngestionOperations = (
  parts: Parts,
  worker: Pick<IngestionWorker, 'wake' | 'cancel'>,
  fitter: Fitter,
): Pick<CostOperations, 'accept' | 'list' | 'retrieve' | 'remove'> => {
  const { journal, store, spool, now } = parts
  const placeOf = async (merchantId: string, ingestionId: string): Promise<IngestionPlace> => ({
    merchantId,
    life: await lifeOf(parts, merchantId),
    ingestionId,
  })

  return {
    accept: async ({ merchantId, life, ingestionId, origin, ...asked }) => {
      const place = await placeOf(merchantId, ingestionId)
      // A file takes its time: meanwhile the merchant may have been closed, and its id be that of another one.
      if (place.life !== life || !parts.states.stateOf(merchants, merchantId).registered) {
        await spool.remove(ingestionId)
        return { ok: false, refusal: 'MERCHANT_NOT_FOUND' }
      }
      const outcome = await journal.decide(place, { type: 'AcceptReport', ...asked, reference: null, at: now() }, origin)
      if (!outcome.accepted) return { ok: false, refusal: 'CONFLICT' }
      worker.wake()
      return { ok: true, value: outcome.ingestion, position: outcome.position }
    },
    list: async ({ merchantId }) => {
      const life = await lifeOf(parts, merchantId)
      await journal.readIndex(merchantId)
      const query = { collection: costIngestions.name, index: LISTED_INDEX, prefix: [merchantId, life], order: 'descending' } as const
      return (await store.range<Ingestion>({ ...query, limit: INGESTION_LIST_COUNT_MAX })).map(({ body }) => body)
    },
    retrieve: async ({ merchantId, ingestionId }) => {
      const place = await placeOf(merchantId, ingestionId)
      await journal.readIndex(merchantId)
      const found = await journal.find(place)
      return isShown(found) ? { ok: true, value: found } : NOT_FOUND
    },
    remove: async ({ merchantId, ingestionId, origin }) => {
      const place = await placeOf(merchantId, ingestionId)
      await journal.readIndex(merchantId)
      const before = await journal.find(place)
      const outcome = await journal.decide(place, { type: 'DeleteIngestion', at: now() }, origin)
      if (!outcome.accepted) return outcome.rejection.code === 'CONFLICT' ? { ok: false, refusal: 'CONFLICT' } : NOT_FOUND
      worker.cancel(ingestionId)
      await spool.remove(ingestionId)
      const data = { merchantId, ingestionId, merchantRegistrationCount: place.life, at: now() }
      await journal.record([{ type: 'ReportContributionDropped', data }], INGESTION)
      if (hadCounted(before)) await refit(parts, fitter, before)
      return { ok: true, value: null, position: outcome.position }
    },
  }
}
