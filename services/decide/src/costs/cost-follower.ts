import { merchants } from '@switchyard/access'
import { costProjections } from '@switchyard/composition'
import { type AccountAddOn, invoiceAddOns, readStoredFitChunks } from '@switchyard/costs'
import { EVENT_CATALOGUE, schemaIdOf } from '@switchyard/events'
import type { EventLog, LogRecord, Position, Positions, ReadStore, SchemaIds, Subscription } from '@switchyard/kernel'
import { createProgress, documentPositions, loadedWhole, type Part, type StreamStates, systemTimers } from '@switchyard/runtime'
import type { CompilerInput, SentSchema } from './compiler-messages.ts'
import { type CostCompiler, type StartCostCompiler, startCostCompiler } from './cost-compiler.ts'
import type { ClosedMerchant, LearnedModelNews } from './learned-models.ts'
import { type LearnedCostModel, ServedModels } from './served-models.ts'

const FITTED = EVENT_CATALOGUE.CostModelFitted.subject

/** The topic `costs` in a process that decides: what is learned, in memory, one model a merchant. */
export interface CostFollower {
  /** Undefined when nothing is learned. Replaced as a whole. */
  readonly modelOf: (merchantId: string) => LearnedCostModel | undefined
  /** Waits until the models include `position`; rejects with `POSITION_NOT_REACHED` after the bound. */
  readonly waitFor: (position: Position) => Promise<void>
  readonly part: Part
}

/** What {@link createCostFollower} needs. */
export interface CostFollowerDependencies {
  readonly log: EventLog
  readonly store: ReadStore
  readonly schemaIds: Pick<SchemaIds, 'schemaOf'>
  /** What invoices add stands in the configuration. */
  readonly states: Pick<StreamStates, 'stateOf' | 'onChange'>
  readonly onFailure: (error: unknown) => void
  readonly startCompiler?: StartCostCompiler
}

type Input = Omit<CompilerInput, 'number' | 'addOns' | 'closed'>

const NOTHING: Input = { schemas: [], records: [], chunks: [], compile: 'later' }

/** What invoices add, by merchant, as far as the compiler was not told yet. */
const followAddOns = (
  { states }: Pick<CostFollowerDependencies, 'states'>,
  onNews: () => void,
): { readonly untold: () => CompilerInput['addOns'] } => {
  const known = new Map<string, readonly AccountAddOn[]>()
  const news = new Map<string, readonly AccountAddOn[]>()
  states.onChange((merchantId) => {
    const { addOns } = states.stateOf(invoiceAddOns, merchantId)
    if (addOns === (known.get(merchantId) ?? invoiceAddOns.initialState.addOns)) return
    known.set(merchantId, addOns)
    news.set(merchantId, addOns)
    onNews()
  })
  return {
    untold: () => {
      const untold = [...news].map(([merchantId, addOns]) => ({ merchantId, addOns }))
      news.clear()
      return untold
    },
  }
}

/** Whether a registration of a merchant id is over; one that is not known yet may still come. */
const isOver = (states: Pick<StreamStates, 'stateOf'>, merchantId: string, merchantRegistrationCount: number): boolean => {
  const { registered, registrationCount } = states.stateOf(merchants, merchantId)
  return registrationCount > merchantRegistrationCount || (registrationCount === merchantRegistrationCount && !registered)
}

/** Takes models of merchants that are closed away; which ones, as far as the compiler was not told yet. */
const forgetClosed = (states: CostFollowerDependencies['states'], models: ServedModels): ClosedMerchant[] => {
  const closed: ClosedMerchant[] = []
  states.onChange((merchantId) => {
    const model = models.of(merchantId)
    if (model === undefined || !isOver(states, merchantId, model.merchantRegistrationCount)) return
    models.forget(merchantId)
    closed.push({ merchantId, merchantRegistrationCount: model.merchantRegistrationCount })
  })
  return closed
}

/** What the log hands over may be a part of something larger. */
const copyOf = ({ value, position }: LogRecord): Input['records'][number] => ({ value: new Uint8Array(value), position })

/** Schemas that records were written with and the compiler was not told yet. */
const createUnsentSchemas = (schemaIds: Pick<SchemaIds, 'schemaOf'>): ((records: readonly LogRecord[]) => readonly SentSchema[]) => {
  const sent = new Set<number>()
  return (records) =>
    records.flatMap(({ value }) => {
      const id = schemaIdOf(value)
      const published = id === undefined || sent.has(id) ? undefined : schemaIds.schemaOf(id)
      if (id === undefined || published === undefined) return []
      sent.add(id)
      return [{ id, subject: published.subject, schema: published.schema }]
    })
}

/** Hands over what is stored; the positions behind which the log goes on. */
const takeStored = async (
  { store, states }: Pick<CostFollowerDependencies, 'store' | 'states'>,
  take: (input: Input) => Promise<void>,
): Promise<Positions> => {
  const names = costProjections.map(({ name }) => name)
  return await loadedWhole(store, 'costs', async (documents) => {
    const stored = (await documentPositions(documents, 'costs', names)) ?? new Map<number, number>()
    for await (const page of readStoredFitChunks(documents)) {
      const chunks = page.filter(({ chunk }) => !isOver(states, chunk.merchantId, chunk.merchantRegistrationCount))
      if (chunks.length > 0) await take({ ...NOTHING, chunks })
    }
    return stored
  })
}

/** A {@link CostFollower}; fits are read and compiled in a thread that starts with the first one. */
export const createCostFollower = (dependencies: CostFollowerDependencies): CostFollower => {
  const { log, schemaIds, states, onFailure, startCompiler = startCostCompiler } = dependencies
  const models = new ServedModels((memory) => compiler?.takeBack(memory))
  const progress = createProgress('costs', systemTimers)
  const unsentSchemas = createUnsentSchemas(schemaIds)
  const closed = forgetClosed(states, models)
  let compiler: CostCompiler | undefined
  let tail: Subscription | undefined

  const onModel = (news: LearnedModelNews): void => {
    if (!isOver(states, news.merchantId, news.merchantRegistrationCount)) models.serve(news)
  }

  const take = async (input: Input): Promise<void> => {
    compiler ??= startCompiler({ onModel, onFailure })
    await compiler.take({ ...input, addOns: addOns.untold(), closed: closed.splice(0) })
  }
  // Before there is a fit there is nothing to add to: the first one takes them along.
  const addOns = followAddOns(dependencies, () => {
    if (compiler !== undefined) take({ ...NOTHING, compile: 'now' }).catch(() => {}) // The end of the thread is told to `onFailure`.
  })

  const include = async (records: readonly LogRecord[], compile: CompilerInput['compile']): Promise<void> => {
    const fits = records.filter(({ headers }) => headers.type === FITTED)
    if (fits.length > 0) {
      await take({ ...NOTHING, schemas: unsentSchemas(fits), records: fits.map(copyOf), compile })
    }
    const last = records.at(-1)?.position
    if (last !== undefined) progress.advance(last.partition, last.offset)
  }

  const start = async (): Promise<void> => {
    const stored = await takeStored(dependencies, take)
    for (const [partition, offset] of stored) progress.advance(partition, offset)
    for await (const records of log.read('costs', stored)) await include(records, 'later')
    if (compiler !== undefined) await take({ ...NOTHING, compile: 'now' })
    tail = log.subscribe({
      topic: 'costs',
      from: new Map(progress.positions()),
      handle: (records) => include(records, 'now'),
      onFailure: (error) => {
        progress.end(error)
        onFailure(error)
      },
    })
  }

  return {
    modelOf: (merchantId) => models.of(merchantId),
    waitFor: (position) => progress.waitFor(position),
    part: {
      name: 'costs',
      start,
      stop: async () => {
        await tail?.stop()
        progress.end()
        await compiler?.close()
      },
    },
  }
}
