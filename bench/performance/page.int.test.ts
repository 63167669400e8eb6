import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { type Baselines, kindOf, mainBaseline } from '../baseline.mjs'
import { BENCHMARKS } from '../benchmarks.mjs'
import type { Metric } from '../verdict.mjs'
import { drawGrowth } from './growth-picture.mjs'
import { withSections } from './page.mjs'

const NAMES = Object.keys(BENCHMARKS)
const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const baselines: Baselines = JSON.parse(read('bench/baseline.json'))
const page = read('docs/performance.md')

const metric = (changes: Partial<Metric>): Metric => ({
  benchmark: 'decide-20',
  name: 'throughput against bare',
  unit: '',
  better: 'higher',
  isRatio: true,
  target: 0.7,
  median: 0.6,
  min: 0.5,
  max: 0.65,
  ...changes,
})
const machine = { cpu: 'a core', coreCount: 2, memoryGb: 8, node: 'v20' }
const stored = (busyBefore: number | null, ...metrics: readonly Metric[]): Baselines => ({
  [kindOf(machine)]: {
    metrics,
    taken: Object.fromEntries(
      metrics.map(({ benchmark }) => [benchmark, { at: '2026-01-02T03:04:05Z', machine, settings: {}, busyBefore }]),
    ),
  },
})
const PLACES = ['figures', 'others', 'curves', 'sizing'].map(
  (name) => `<!-- ${name}: made by npm run bench:page -->\nold\n<!-- end of ${name} -->`,
)

describe('the page of figures', () => {
  test('says what is stored: npm run bench:page makes it anew', () => {
    expect(withSections(page, baselines, NAMES)).toBe(page)
  })

  test('shows the curves that are stored', () => {
    const points = mainBaseline(baselines).metrics.filter(({ point }) => point !== undefined)
    expect(points.length === 0 ? '' : drawGrowth(points)).toBe(points.length === 0 ? '' : read('docs/images/growth.svg'))
  })

  test('names a missed target, what kept the machine busy, and what was never measured', () => {
    const made = withSections(PLACES.join('\n'), stored(1.25, metric({})), ['decide-20', 'start'])
    expect(made).toContain('| `decide-20` | **throughput against bare** | 0.60 | 0.50 – 0.65 | ≥ 0.70 **missed** |')
    expect(made).toMatch(/`npm run bench decide-20` \| 2026-01-02 03:04 \| a core, .* \| 1\.3 cores \|/)
    expect(made).toContain('Without a stored figure: `start`.')
    expect(made).not.toContain('old')
  })

  test('has what other kinds of machines did beside what stands first, and once what one of them did alone', () => {
    const onAnother = stored(0, metric({ median: 0.87, max: 0.9 }), metric({ benchmark: 'start' }))
    const baselines = { ...stored(0, metric({})), 'another, 4 cores': mainBaseline(onAnother) }
    const [, figures = '', others = ''] = withSections(PLACES.join('\n'), baselines, ['decide-20', 'start']).split(
      'made by npm run bench:page',
    )
    expect(figures).toContain('| `decide-20` | **throughput against bare** | 0.60 |')
    expect(figures).toContain('| `start` |')
    expect(others).toContain('**another, 4 cores**')
    expect(others).toContain('| `decide-20` | **throughput against bare** | 0.87 |')
    expect(others).not.toContain('`start`')
  })

  test('does not guess how busy a machine was', () => {
    expect(withSections(PLACES.join('\n'), stored(null, metric({})), ['decide-20'])).toContain('| not recorded |')
  })

  test('a page without a place for its figures is refused', () => {
    expect(() => withSections('nothing here', stored(0), [])).toThrow('no place')
  })
})

describe('the growth curves', () => {
  const point = (axis: string, count: number, line: string, median: number): Metric =>
    metric({
      benchmark: 'growth',
      name: `${count} ${axis} ${line}`,
      unit: 'us',
      median,
      min: median,
      max: median,
      point: { axis, count, line },
    })
  const lines = ['decisionUs', 'memoryMb', 'startMs', 'storedMb']
  const svg = drawGrowth(
    ['merchants', 'dimensions'].flatMap((axis) =>
      [1, 1_000].flatMap((count) => lines.map((line, slot) => point(axis, count, line, slot * count))),
    ),
  )

  test('every figure in the picture is a number within the frame, and every tag is closed', () => {
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    const [, width = '0', height = '0'] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    for (const [, name = '', value = ''] of svg.matchAll(/ (x|x1|x2|y|y1|y2|cx|cy)="([^"]*)"/g)) {
      expect(Number(value)).toBeGreaterThanOrEqual(0)
      expect(Number(value)).toBeLessThanOrEqual(Number(name.includes('x') ? width : height))
    }
    expect(svg.match(/<\/[a-z]+>/g)?.length).toBe(svg.match(/<(?!\/)[a-z]+[^>]*[^/]>/g)?.length)
  })

  test('stand in a table, a row for each point', () => {
    const made = withSections(PLACES.join('\n'), stored(0, point('merchants', 10, 'decisionUs', 12)), ['growth'])
    expect(made).toContain('| merchants | a decision |')
    expect(made).toContain('| 10 | 12.0 us |')
  })
})
