import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { batchedMessages } from './batched-messages.ts'

test('what is sent in one turn arrives in its order, as one message', async () => {
  const sent: unknown[] = []
  let arrived: (message: unknown) => void = () => {}
  const end = batchedMessages({
    send: (message) => sent.push(message),
    receive: (listener) => {
      arrived = listener
    },
  })
  const received: unknown[] = []
  end.receive((message) => received.push(message))
  end.send('a')
  end.send('b')
  expect(sent).toEqual([])
  await nextTurn()
  end.send('c')
  await nextTurn()
  expect(sent).toEqual([['a', 'b'], ['c']])
  for (const message of sent) arrived(message)
  expect(received).toEqual(['a', 'b', 'c'])
})
