import { expect, test } from '@jest/globals'
import { createStreamedRuns } from './streamed-runs.ts'

const lines = async function* (): AsyncGenerator<string> {
  yield 'a line\n'
}

test('as many runs as asked at the same moment were begun: a run counted from its first line on only', async () => {
  const streamed = createStreamedRuns('runs', 2)
  const ask = () => streamed(lines())
  const replies = [ask(), ask(), ask()]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 503])
  for await (const line of replies[0]?.pieces ?? []) expect(line).toBe('a line\n')
  // Its connection closes behind that: it makes room once.
  replies[0]?.onSettled?.()
  // The client of this one has left before its first line.
  replies[1]?.onSettled?.()
  expect([ask(), ask(), ask()].map(({ status }) => status)).toEqual([200, 200, 503])
})
