import { parentPort } from 'node:worker_threads'
import { buffersOf } from '@switchyard/costs'
import { createEventCodec } from '@switchyard/events'
import { assert, OperatingError, type SchemaIds } from '@switchyard/kernel'
import { decodeCostsEvent, isPoison, yieldToAnswers } from '@switchyard/runtime'
import type { CompilerInput, CompilerOutput, SentSchema } from './compiler-messages.ts'
import { LearnedModels } from './learned-models.ts'

const createSentSchemas = (): SchemaIds & { readonly add: (schemas: readonly SentSchema[]) => void } => {
  const known = new Map<number, SentSchema>()
  return {
    idOf: (subject) => {
      throw new OperatingError('SCHEMA_UNKNOWN', `${subject} is not written here`, { retryable: false })
    },
    schemaOf: (id) => known.get(id),
    add: (schemas) => {
      for (const schema of schemas) known.set(schema.id, schema)
    },
  }
}

/** The thread that compiles what is learned (law 8): models of a hundred thousand clusters take half a second. */
const run = (): void => {
  const port = parentPort
  assert(port !== null, 'runs in a worker thread')
  yieldToAnswers()
  const schemas = createSentSchemas()
  const codec = createEventCodec(schemas, { strict: false })
  const models = new LearnedModels()

  /** What this release can't read is passed by, as everywhere; the projector keeps it as a dead letter. */
  const read = ({ value, position }: CompilerInput['records'][number]): void => {
    try {
      const event = decodeCostsEvent(codec, value)
      if (event.type === 'CostModelFitted') models.add({ chunk: event.data, position })
    } catch (error) {
      if (!isPoison(error)) throw error
    }
  }

  const tell = (output: CompilerOutput, memory: readonly ArrayBuffer[] = []): void => port.postMessage(output, memory)

  port.on('message', (input: CompilerInput | null) => {
    if (input === null) return
    schemas.add(input.schemas)
    for (const merchant of input.closed) models.forget(merchant)
    for (const added of input.addOns) models.setAddOns(added)
    for (const chunk of input.chunks) models.add(chunk)
    for (const record of input.records) read(record)
    if (input.compile === 'now') for (const news of models.compiled()) tell({ kind: 'model', news }, buffersOf(news.costs))
    tell({ kind: 'included', number: input.number })
  })
}

run()
