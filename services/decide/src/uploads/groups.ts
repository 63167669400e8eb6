import { setImmediate as nextTurn } from 'node:timers/promises'
import { UPLOAD_GROUP_COUNT, UPLOAD_OUTCOME_COUNT_MAX } from '../limits.ts'
import type { Element } from './elements.ts'

const TOO_MANY: Element = {
  number: UPLOAD_OUTCOME_COUNT_MAX + 1,
  problem: {
    code: 'TOO_MANY_OUTCOMES',
    message: `an upload has at most ${UPLOAD_OUTCOME_COUNT_MAX} outcomes; send what follows in another one`,
  },
}

/** The elements of an upload in groups that are small enough not to hold up decisions, up to the limit of outcomes. */
export const groupsOf = async function* (elements: AsyncIterable<readonly Element[]>): AsyncGenerator<readonly Element[]> {
  for await (const list of elements) {
    const within = list.filter(({ number }) => number <= UPLOAD_OUTCOME_COUNT_MAX)
    for (let start = 0; start < within.length; start += UPLOAD_GROUP_COUNT) {
      yield within.slice(start, start + UPLOAD_GROUP_COUNT)
      await nextTurn()
    }
    if (within.length < list.length) {
      yield [TOO_MANY]
      return
    }
  }
}
