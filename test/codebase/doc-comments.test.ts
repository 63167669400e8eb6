import { describe, expect, test } from '@jest/globals'
import { reexportsOf, undocumentedExports } from './doc-comments.ts'
import { linesMatching } from './sources.ts'

const source = (text: string) => ({ path: 'a.ts', text, lines: text.split('\n') })

const names = new Set(['double', 'Own'])

describe('scan for doc comments', () => {
  test.each([
    ['a function', 'export const double = (n: number): number => 2 * n'],
    ['a declared function', 'export function double(n: number): number {'],
    ['an interface', 'export interface Own {'],
    ['a type', 'export type Own ='],
    ['a class', 'export class Own {'],
  ])('%s without one is found', (_name, line) => {
    expect(undocumentedExports(source(`const x = 1\n\n${line}`), names)).toHaveLength(1)
    expect(undocumentedExports(source(`/** What it is. */\n${line}`), names)).toEqual([])
  })

  test('a plain constant, a private function and a name that is not asked for need none', () => {
    const text = 'export const LIMIT = 3\nconst own = () => 1\nexport const other = () => 1'
    expect(undocumentedExports(source(text), new Set(['LIMIT', 'own']))).toEqual([])
  })

  test('an index says which names it re-exports from where', () => {
    const index = {
      path: 'a/index.ts',
      text: "export type { A, B } from './b.ts'\nexport {\n  type C,\n  d,\n} from './c/d.ts'",
      lines: [],
    }
    expect(reexportsOf(index)).toEqual([
      { from: 'a/b.ts', names: new Set(['A', 'B']) },
      { from: 'a/c/d.ts', names: new Set(['C', 'd']) },
    ])
  })
})

describe('search', () => {
  test('a match is named with its file and line', () => {
    expect(linesMatching([source('one\n  two')], /two/)).toEqual(['a.ts:2: two'])
  })
})
