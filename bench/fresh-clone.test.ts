import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'

const STATIC_IMPORT = /^(?:import|export)\s(?:[^'"]*?\sfrom\s)?'([^']+)'/gm

/** What is loaded with a file before any of its lines runs, and is neither Node's own nor a file that stands in the clone. */
const neededBefore = (file: URL, seen: Set<string> = new Set()): readonly string[] => {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const names = Array.from(readFileSync(file, 'utf8').matchAll(STATIC_IMPORT), ([, name = '']) => name)
  return names.flatMap((name) => {
    if (name.startsWith('.')) return neededBefore(new URL(name, file), seen)
    return name.startsWith('node:') ? [] : [`${name} (${file.pathname.split('/').slice(-2).join('/')})`]
  })
}

describe('on a fresh clone, with nothing installed', () => {
  test.each(['main.mjs', 'compare.mjs', 'performance/main.mjs', 'routing-quality/main.mjs'])(
    '%s ended before it had set anything up: what it needs was not there',
    (path) => {
      expect(neededBefore(new URL(path, import.meta.url))).toEqual([])
    },
  )

  test('what a benchmark measures is seen to be needed', () => {
    expect(neededBefore(new URL('benchmarks.mjs', import.meta.url)).length).toBeGreaterThan(0)
  })
})
