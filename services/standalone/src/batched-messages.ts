import type { MessageEnd } from './message-calls.ts'

const isBatch = (message: unknown): message is readonly unknown[] => Array.isArray(message)

/** What is sent in one turn of the thread goes as one message: waking the other thread costs as much as many answers. Both ends have to do so. */
export const batchedMessages = (end: MessageEnd): MessageEnd => {
  let waiting: unknown[] = []

  const flush = (): void => {
    const batch = waiting
    waiting = []
    end.send(batch)
  }

  return {
    send: (message) => {
      waiting.push(message)
      if (waiting.length === 1) setImmediate(flush)
    },
    receive: (listener) =>
      end.receive((batch) => {
        if (isBatch(batch)) for (const message of batch) listener(message)
      }),
  }
}
