// `npm run bench:page`: writes the stored figures into docs/performance.md, and draws the growth curves.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWhenNeeded, installWhenNeeded, requireNode } from '../../tools/setup.mjs'
import { mainBaseline } from '../baseline.mjs'
import { readBaselines } from '../results.mjs'
import { drawGrowth } from './growth-picture.mjs'
import { withSections } from './page.mjs'

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))
const PICTURE = fileURLToPath(new URL('../../docs/images/growth.svg', import.meta.url))

requireNode()
installWhenNeeded()
buildWhenNeeded()
// Benchmarks import what they measure, and that is there only now.
const { BENCHMARKS } = await import('../benchmarks.mjs')
const baselines = readBaselines()
writeFileSync(PAGE, withSections(readFileSync(PAGE, 'utf8'), baselines, Object.keys(BENCHMARKS)))
const points = mainBaseline(baselines).metrics.filter(({ point }) => point !== undefined)
if (points.length > 0) writeFileSync(PICTURE, drawGrowth(points))
process.stdout.write(`Written: ${PAGE}${points.length > 0 ? `, ${PICTURE}` : ''}\n`)
