import { TOPICS, type Topic } from '@switchyard/kernel'
import { isReadable, learntDeadLettersOf, placeOf } from './dead-letters.ts'
import { READ_MODELS } from './read-models.ts'
import { type RebuildDependencies, rebuild } from './rebuild.ts'

/**
 * Reads all dead letters again. Those that can be read now take effect in their place among the other events, which only a
 * rebuild of their topic can do (ADR 0038). Resolves with the exit code: 1 when some are left.
 */
export const retryDeadLetters = async (dependencies: RebuildDependencies): Promise<number> => {
  const { schemaIds, console } = dependencies
  const readable = new Map<Topic, number>()
  let unreadableCount = 0
  for await (const page of learntDeadLettersOf(dependencies, TOPICS)) {
    for (const letter of page) {
      if (isReadable(letter, schemaIds)) readable.set(letter.topic, (readable.get(letter.topic) ?? 0) + 1)
      else {
        unreadableCount += 1
        console.note(`${placeOf(letter)} still can't be read: ${letter.reason} ${letter.message}`)
      }
    }
  }
  for (const [topic, count] of readable) {
    console.note(`${topic}: ${count} can be read now and take effect by a rebuild`)
    await rebuild(READ_MODELS[topic], dependencies, false)
  }
  const count = [...readable.values()].reduce((sum, each) => sum + each, 0)
  if (count > 0)
    console.note('processes that run pass them by until they are restarted: they decide from the states that they have in memory')
  await console.print(`${count} dead letters took effect, ${unreadableCount} are left`)
  return unreadableCount === 0 ? 0 : 1
}
