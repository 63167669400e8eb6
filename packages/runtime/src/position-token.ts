import { type Position, TOPICS, type Topic } from '@switchyard/kernel'

/** A log position as a client sees it. */
export interface TopicPosition {
  readonly topic: Topic
  readonly position: Position
}

const TOKEN = /^([a-z]+)-(\d{1,6})-(\d{1,15})$/

/** Opaque text for `x-log-position` and `x-min-log-position`, for example `config-2-17`. */
export const positionToken = (topic: Topic, { partition, offset }: Position): string => `${topic}-${partition}-${offset}`

/** Reads a token of {@link positionToken}; undefined when it is malformed. */
export const parsePositionToken = (text: string): TopicPosition | undefined => {
  const [, name, partition, offset] = TOKEN.exec(text) ?? []
  const topic = TOPICS.find((known) => known === name)
  return topic === undefined ? undefined : { topic, position: { partition: Number(partition), offset: Number(offset) } }
}
