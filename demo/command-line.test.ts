import { describe, expect, test } from '@jest/globals'
import { parseCostOptions } from './costs/cost-options.mjs'
import { parseOptions } from './options.mjs'
import { createProgress } from './progress.mjs'

describe('the command line of the demo', () => {
  test('has defaults for everything', () => {
    expect(parseOptions([])).toMatchObject({ url: null, paymentCount: 20_000, seed: 1, out: 'demo-output/switchyard-demo.svg' })
  })

  test('keeps only the origin of the address', () => {
    expect(parseOptions(['--url', 'http://127.0.0.1:8080/']).url).toBe('http://127.0.0.1:8080')
  })

  test.each(['localhost:8080', '127.0.0.1:8080', 'localhost', 'ftp://localhost'])(
    'the address %s is refused by name: the demo waited for a server called null, or ended with "Invalid URL"',
    (url) => {
      for (const parse of [parseOptions, parseCostOptions])
        expect(() => parse(['--url', url])).toThrow(`--url must be an address such as http://127.0.0.1:8080, not ${url}`)
    },
  )

  test.each([
    ['--payments', '12.5'],
    ['--payments', '10'],
    ['--concurrency', '0'],
    ['--seed', '-1'],
    ['--seed', 'x'],
  ])('%s %s is refused by name', (name, value) => {
    expect(() => parseOptions([`${name}=${value}`])).toThrow(name)
  })
})

describe('the progress bar', () => {
  const drawn = (isTTY: boolean): string => {
    let text = ''
    let at = 0
    const out = { isTTY, write: (part: string) => (text += part) }
    const progress = createProgress({ total: 1_000, out, now: () => (at += 1) })
    for (let done = 1; done <= 1_000; done += 1) progress.update(done, '')
    return text
  }

  test('is one line on a terminal, redrawn and ended', () => {
    expect(drawn(true).match(/\n/g)).toHaveLength(1)
    expect(drawn(true)).toMatch(/\r█{32} 100 %/)
    expect(drawn(true).match(/\r/g)?.length).toBeLessThan(50)
  })

  test('is ten lines in a file', () => {
    expect(drawn(false).trimEnd().split('\n')).toHaveLength(10)
    expect(drawn(false)).not.toContain('\r')
  })
})
