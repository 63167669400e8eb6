import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import type { OutboundAnswer } from '@switchyard/kernel'
import type { Dispatcher } from 'undici'
import { createAnswerReader } from './answer-reader.ts'
import { ANSWER_BODY_BYTES_MAX } from './limits.ts'

const PIECE = Buffer.from('x')

const heapBytes = (): number => {
  setFlagsFromString('--expose_gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

const read = (pieces: number): { readonly answers: readonly OutboundAnswer[]; readonly heldBytes: number } => {
  const answers: OutboundAnswer[] = []
  const { handler } = createAnswerReader({ answered: (answer) => answers.push(answer), failed: () => {} })
  const controller: Dispatcher.DispatchController = Object({ rawHeaders: [] })
  handler.onResponseStart?.(controller, 200, {}, 'OK')
  const before = heapBytes()
  for (let index = 0; index < pieces; index++) handler.onResponseData?.(controller, PIECE.subarray(0, 1))
  const heldBytes = heapBytes() - before
  handler.onResponseEnd?.(controller, {})
  return { answers, heldBytes }
}

test('a body in pieces of one byte is held in one: it took a hundred times its size until its end', () => {
  const { answers, heldBytes } = read(ANSWER_BODY_BYTES_MAX)
  expect(answers).toMatchObject([{ bodyEnd: 'whole', body: 'x'.repeat(ANSWER_BODY_BYTES_MAX) }])
  expect(heldBytes).toBeLessThan(1_000_000)
})

test('a body beyond the cap in such pieces is told when the cap is passed; of what is told the first counts', () => {
  const { answers } = read(ANSWER_BODY_BYTES_MAX + 2)
  expect(answers.map(({ bodyEnd, body }) => [bodyEnd, body.length])).toEqual([
    ['too_large', ANSWER_BODY_BYTES_MAX],
    ['whole', ANSWER_BODY_BYTES_MAX],
  ])
})
