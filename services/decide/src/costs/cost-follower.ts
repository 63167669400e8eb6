import { costProjections } from '@switchyard/composition'
import { LearnedIndex, readStoredFitChunks } from '@switchyard/costs'
import { EVENT_CATALOGUE, schemaIdOf } from '@switchyard/events'
import type { EventLog, LogRecord, Position, ReadStore, SchemaIds, Subscription } from '@switchyard/kernel'
import { createProgress, documentPositions, type Part, pinnedGeneration, positionToken, systemTimers } from '@switchyard/runtime'
import type { CompilerInput, SentSchema } from './compiler-messages.ts'
import { type CostCompiler, type StartCostCompiler, startCostCompiler } from './cost-compiler.ts'
import type { LearnedModelNews } from './learned-models.ts'

const FITTED = EVENT_CATALOGUE.CostModelFitted.subject

/** What is learned of a merchant, ready for lookups. */
export interface LearnedCostModel {
  readonly index: LearnedIndex
  /** Which registration of the merchant id it is of. */
  readonly merchantRegistrationCount: number
  /** Position token of the last fit that it includes. */
  readonly version: string
}

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
  readonly onFailure: (error: unknown) => void
  readonly startCompiler?: StartCostCompiler
}

const NOTHING: Omit<CompilerInput, 'number'> = { schemas: [], records: [], chunks: [], compile: 'later' }

/** A {@link CostFollower}; fits are read and compiled in a thread that starts with the first one. */
export const createCostFollower = (dependencies: CostFollowerDependencies): CostFollower => {
  const { log, store, schemaIds, onFailure, startCompiler = startCostCompiler } = dependencies
  const models = new Map<string, LearnedCostModel>()
  const progress = createProgress('costs', systemTimers)
  const sent = new Set<number>()
  let compiler: CostCompiler | undefined
  let tail: Subscription | undefined

  const onModel = ({ merchantId, merchantRegistrationCount, position, costs }: LearnedModelNews): void => {
    const version = positionToken('costs', position)
    models.set(merchantId, { index: new LearnedIndex(costs), merchantRegistrationCount, version })
  }

  const take = async (input: Omit<CompilerInput, 'number'>): Promise<void> => {
    compiler ??= startCompiler({ onModel, onFailure })
    await compiler.take(input)
  }

  const unsentSchemas = (records: readonly LogRecord[]): readonly SentSchema[] =>
    records.flatMap(({ value }) => {
      const id = schemaIdOf(value)
      const published = id === undefined || sent.has(id) ? undefined : schemaIds.schemaOf(id)
      if (id === undefined || published === undefined) return []
      sent.add(id)
      return [{ id, subject: published.subject, schema: published.schema }]
    })

  const include = async (records: readonly LogRecord[], compile: CompilerInput['compile']): Promise<void> => {
    const fits = records.filter(({ headers }) => headers.type === FITTED)
    if (fits.length > 0) {
      await take({
        ...NOTHING,
        schemas: unsentSchemas(fits),
        // Copied: what the log hands over may be a part of something larger.
        records: fits.map(({ value, position }) => ({ value: Uint8Array.from(value), position })),
        compile,
      })
    }
    const last = records.at(-1)?.position
    if (last !== undefined) progress.advance(last.partition, last.offset)
  }

  const start = async (): Promise<void> => {
    const documents = await pinnedGeneration(store, 'costs')
    const names = costProjections.map(({ name }) => name)
    const stored = (await documentPositions(documents, 'costs', names)) ?? new Map<number, number>()
    for await (const page of readStoredFitChunks(documents)) {
      if (page.length > 0) await take({ ...NOTHING, chunks: page })
    }
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
    modelOf: (merchantId) => models.get(merchantId),
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
