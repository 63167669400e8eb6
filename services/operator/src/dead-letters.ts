import { schemaIdOf } from '@switchyard/events'
import { type DocumentWrite, type ReadStore, type SchemaIds, TOPICS, type Topic } from '@switchyard/kernel'
import { DEAD_LETTERS_COLLECTION, type DeadLetter, documentPages, isPoison } from '@switchyard/runtime'
import type { Command } from './command-line.ts'
import type { Console } from './console.ts'
import type { Engines } from './engines.ts'
import { decoderOf } from './read-models.ts'

type Listing = Extract<Command, { readonly name: 'dead-letters list' }>
type Showing = Extract<Command, { readonly name: 'dead-letters show' }>

/** All dead letters of these topics, page by page. */
async function* deadLettersOf(store: ReadStore, topics: readonly Topic[]): AsyncGenerator<readonly DeadLetter[]> {
  for (const topic of topics) {
    for await (const page of documentPages<DeadLetter>(store, DEAD_LETTERS_COLLECTION, [topic])) yield page.map(({ body }) => body)
  }
}

/** Where its record stands, as the commands take it. */
export const placeOf = ({ topic, partition, offset }: DeadLetter): string => `${topic} ${partition} ${offset}`

/** Lists dead letters, oldest first within a partition. Resolves with the exit code. */
export const listDeadLetters = async ({ topic, limit }: Listing, store: ReadStore, console: Console): Promise<number> => {
  let count = 0
  for await (const page of deadLettersOf(store, topic === undefined ? TOPICS : [topic])) {
    for (const letter of page) {
      if (count++ < limit)
        await console.print(`${placeOf(letter)}  ${letter.reason}  ${letter.type}  ${letter.streamKey}  ${letter.message}`)
    }
  }
  console.note(count > limit ? `${limit} of ${count} dead letters` : `${count} dead letters`)
  return 0
}

/** Shows one dead letter as JSON, its bytes in base64. Resolves with the exit code. */
export const showDeadLetter = async ({ topic, partition, offset }: Showing, store: ReadStore, console: Console): Promise<number> => {
  const letter = await store.get<DeadLetter>(DEAD_LETTERS_COLLECTION, [topic, partition, offset])
  if (letter === undefined) {
    console.note(`${topic} ${partition} ${offset} is no dead letter`)
    return 1
  }
  const { bytes, ...body } = letter.body
  await console.print(
    JSON.stringify({ ...body, schemaId: schemaIdOf(bytes) ?? null, bytes: Buffer.from(bytes).toString('base64') }, null, 2),
  )
  return 0
}

/** Whether this release, with these schemas, can read it. */
export const isReadable = ({ topic, bytes }: DeadLetter, schemaIds: SchemaIds): boolean => {
  try {
    decoderOf(topic, schemaIds)(bytes)
    return true
  } catch (error) {
    if (isPoison(error)) return false
    throw error
  }
}

const removalOf = ({ topic, partition, offset }: DeadLetter): DocumentWrite => ({
  collection: DEAD_LETTERS_COLLECTION,
  key: [topic, partition, offset],
  // Behind the record: a projector that meets it again changes nothing.
  position: { partition, offset: offset + 1 },
  body: null,
})

/** Which dead letters are meant. */
type IsMeant = (letter: DeadLetter) => boolean

/** What finds out whether dead letters can be read. */
export type ReadsLetters = Pick<Engines, 'store' | 'schemaIds' | 'learn'>

/** Dead letters of these topics, page by page, with every schema learnt that they name. */
export async function* learntDeadLettersOf(
  { store, learn }: ReadsLetters,
  topics: readonly Topic[],
): AsyncGenerator<readonly DeadLetter[]> {
  for await (const page of deadLettersOf(store, topics)) {
    await learn(page.flatMap(({ bytes }) => schemaIdOf(bytes) ?? []))
    yield page
  }
}

/** Whether any of these dead letters of a topic can be read. */
export const hasReadableDeadLetters = async (engines: ReadsLetters, topic: Topic, isMeant: IsMeant): Promise<boolean> => {
  for await (const page of learntDeadLettersOf(engines, [topic])) {
    if (page.some((letter) => isMeant(letter) && isReadable(letter, engines.schemaIds))) return true
  }
  return false
}

/** Removes those dead letters of a topic that its read models were just built with, and that can be read; resolves how many are left. */
export const settleDeadLetters = async (store: ReadStore, topic: Topic, schemaIds: SchemaIds, isFolded: IsMeant): Promise<number> => {
  let leftCount = 0
  for await (const page of deadLettersOf(store, [topic])) {
    const settled = page.filter((letter) => isFolded(letter) && isReadable(letter, schemaIds))
    await store.write(settled.map(removalOf))
    leftCount += page.length - settled.length
  }
  return leftCount
}
