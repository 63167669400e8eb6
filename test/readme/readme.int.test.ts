import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type RunningServer, startStandalone, temporaryFolder } from '../support/server.ts'

const run = promisify(execFile)
const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const steps = [...text.matchAll(/```sh\n([\s\S]*?)```\n```json\n([\s\S]*?)\n```/g)].map(([, command = '', answer = '']) => ({
  command,
  answer,
}))

const folder = temporaryFolder()
let server: RunningServer
beforeAll(async () => {
  server = await startStandalone({ dataDir: folder.path })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** `…` in the README stands for any text; everything else must be there to the letter. */
const pattern = (answer: string): RegExp =>
  new RegExp(
    `^${answer
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*?')}$`,
  )

/** Reads are projected and scores are folded a moment after the answer: asks again until the answer fits, within a bound. */
const answerOf = async (command: string, variables: Readonly<Record<string, string>>, expected: RegExp): Promise<string> => {
  let output = ''
  for (const deadline = Date.now() + 10_000; Date.now() < deadline && !expected.test(output); ) {
    output = (await run('bash', ['-c', command], { env: { ...process.env, ...variables } })).stdout.trim()
  }
  return output
}

describe('README', () => {
  test('its calls give the answers that stand there', async () => {
    expect(steps.length).toBeGreaterThanOrEqual(8)
    const variables: Record<string, string> = { URL: server.url }
    for (const { command, answer } of steps) {
      const expected = pattern(answer)
      const output = await answerOf(command, variables, expected)
      expect(output).toMatch(expected)
      const key = /"api_key":"(DE_[0-9a-f]+)"/.exec(output)?.[1]
      const rule = /"rule_id":"([^"]+)"/.exec(output)?.[1]
      if (key !== undefined) variables['KEY'] = key
      if (rule !== undefined) variables['RULE'] = rule
    }
  })
})
