import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { createMetrics } from '@switchyard/composition'

const dashboard: { readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[] } =
  JSON.parse(readFileSync(new URL('./switchyard.json', import.meta.url), 'utf8'))
const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8')

const namesIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/([a-z_]\w*)\{/g)].map(([, name = '']) => name.replace(/_bucket$/, ''))

test('every panel asks for metrics that there are, outgoing events are shown by all of theirs, and the page explains all of our own', async () => {
  const printed = [...(await createMetrics().text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  for (const { title, targets } of dashboard.panels) {
    const asked = targets.flatMap(({ expr }) => namesIn(expr))
    expect([title, asked.length > 0, asked.filter((name) => !printed.includes(name))]).toEqual([title, true, []])
  }
  const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)))
  expect(printed.filter((name) => name.startsWith('webhook_') && !shown.includes(name))).toEqual([])
  const own = printed.filter((name) => !/^(nodejs|process)_/.test(name))
  expect(own.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})
