import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { eventTopics } from './topics.ts'

const DAY_MS = 86_400_000

test('the page on clusters lists every topic of events, and how long it is kept', () => {
  const page = readFileSync('docs/running-a-cluster.md', 'utf8')
  for (const { name, retentionMs } of eventTopics({ topicPrefix: '<prefix>' })) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? `no row of ${name}`
    expect(row).toContain(retentionMs < 0 ? '| for ever' : `| ${retentionMs / DAY_MS} days`)
  }
})
