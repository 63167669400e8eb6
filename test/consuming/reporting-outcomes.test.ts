import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The example itself is run by `test/services`. */
test('docs/reporting-outcomes.md: every block of code stands in the example that is run', () => {
  const blocks = [...read('docs/reporting-outcomes.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(2)
  for (const block of blocks) expect(read('docs/examples/report-outcomes.ts')).toContain(block)
})
