import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { plantWorkspace } from './planted-workspace.ts'

const projectRoot = process.cwd()
const cruiser = `${projectRoot}/node_modules/dependency-cruiser/bin/dependency-cruise.mjs`
const rules: string = `${projectRoot}/.dependency-cruiser.cjs`

/** One breach a rule: the rule, the file that breaks it, what it imports. */
const BREACHES: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['no-cycles', 'packages/kernel/src/cycle-a.ts', "export { b } from './cycle-b.ts'\nexport const a = 1"],
  ['everything-resolves', 'packages/access/src/inside.ts', "import '@switchyard/kernel/src/index.ts'"],
  ['kernel-is-pure', 'packages/kernel/src/reads.ts', "import 'node:fs'"],
  ['events-know-only-kernel-and-avro', 'packages/events/src/reads.ts', "import 'node:fs'"],
  [
    'domain-knows-only-kernel-and-events',
    'packages/access/src/neighbour.ts',
    "import type { Own } from '@switchyard/routing'\nexport type A = Own",
  ],
  ['domain-knows-only-kernel-and-events', 'packages/access/src/clock.ts', "import 'node:timers'"],
  ['domain-tests-know-no-other-domain', 'packages/access/src/neighbour.test.ts', "import '@switchyard/routing'"],
  ['adapter-knows-only-kernel', 'packages/log-memory/src/above.ts', "import '@switchyard/runtime'"],
  ['adapter-knows-only-kernel', 'packages/outbound/src/above.ts', "import '@switchyard/runtime'"],
  ['embedded-database-is-for-embedded-engines', 'packages/log-memory/src/database.ts', "import '@switchyard/embedded'"],
  ['embedded-database-knows-only-drivers', 'packages/embedded/src/above.ts', "import '@switchyard/kernel'"],
  ['runtime-and-http-know-no-adapter-and-no-service', 'packages/runtime/src/below.ts', "import '@switchyard/log-embedded'"],
  ['routing-data-knows-only-kernel-and-its-domains', 'packages/routing-data/src/above.ts', "import '@switchyard/runtime'"],
  ['invoice-files-know-only-kernel-and-costs', 'packages/invoice-files/src/above.ts', "import '@switchyard/runtime'"],
  ['composition-knows-no-adapter-and-no-service', 'packages/composition/src/engine.ts', "import '@switchyard/log-embedded'"],
  ['services-are-islands', 'services/decide/src/other.ts', "import '@switchyard/query-api'"],
  ['services-are-islands', 'services/query-api/src/operator.ts', "import '@switchyard/operator'"],
  ['only-entry-points-choose-adapters', 'services/decide/src/store.ts', "import '@switchyard/log-memory'"],
  ['only-entry-points-choose-adapters', 'services/decide/src/send.ts', "import '@switchyard/outbound'"],
  ['entry-points-are-not-imported', 'services/standalone/src/again.ts', "import './main.ts'"],
  ['testing-is-for-tests', 'packages/routing/src/fake.ts', "import '@switchyard/testing'"],
  ['tests-are-not-imported', 'packages/routing/src/borrowed.ts', "import './routing.test.ts'"],
  ['tests-are-not-imported', 'packages/routing/src/planted.ts', "import './routing.fixture.ts'"],
  ['domain-tests-know-no-other-domain', 'packages/access/src/neighbour.fixture.ts', "import '@switchyard/routing'"],
  ['no-deep-imports', 'services/decide/src/deep.ts', "import '../../../packages/kernel/src/hidden.ts'"],
  ['kafkajs-stays-home', 'packages/log-embedded/src/driver.ts', "import 'kafkajs'"],
  ['confluent-schema-registry-stays-home', 'packages/log-embedded/src/registry.ts', "import '@kafkajs/confluent-schema-registry'"],
  ['mongodb-stays-home', 'packages/runtime/src/mongo.ts', "import 'mongodb'"],
  ['lmdb-stays-home', 'packages/runtime/src/driver.ts', "import 'lmdb'"],
  ['undici-stays-home', 'packages/log-embedded/src/requests.ts', "import 'undici'"],
  ['avsc-stays-home', 'packages/runtime/src/avro.ts', "import 'avsc'"],
  ['jsonwebtoken-stays-home', 'services/decide/src/routes/token.ts', "import 'jsonwebtoken'"],
  ['lossless-json-stays-home', 'services/decide/src/routes/exact.ts', "import 'lossless-json'"],
  ['argon2-stays-home', 'services/decide/src/routes/hash.ts', "import '@node-rs/argon2'"],
  ['express-stays-home', 'packages/runtime/src/express.ts', "import 'express'"],
  ['nodemailer-stays-home', 'services/decide/src/routes/mail.ts', "import 'nodemailer'"],
  ['prom-client-stays-home', 'packages/http/src/count.ts', "import 'prom-client'"],
  ['pino-stays-home', 'services/decide/src/log.ts', "import 'pino'"],
  ['zod-stays-home', 'services/decide/src/parse.ts', "import 'zod'"],
  ['koffi-stays-home', 'services/decide/src/descriptors.ts', "import 'koffi'"],
  ['unpdf-stays-home', 'services/decide/src/routes/pages.ts', "import 'unpdf'"],
  ['papaparse-stays-home', 'services/decide/src/routes/split.ts', "import 'papaparse'"],
  ['csv-parse-stays-home', 'services/decide/src/routes/parse.ts', "import 'csv-parse'"],
]

/** What is allowed, beside what those breaches lean on. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/kernel/src/cycle-b.ts': "export { a } from './cycle-a.ts'\nexport const b = 1",
  'packages/kernel/src/hidden.ts': 'export const hidden = 1',
  'packages/routing/src/routing.test.ts': "import '@switchyard/testing'\nimport 'node:fs'",
  'packages/routing/src/routing.fixture.ts': "import '@switchyard/testing'\nimport 'node:fs'",
  'packages/routing/src/windows.test.ts': "import './routing.fixture.ts'",
  'packages/access/src/good.test.ts': "import '@switchyard/log-memory'\nimport '@switchyard/testing'",
  'packages/access/src/good.ts': "import '@switchyard/kernel'\nimport '@switchyard/events'",
  'packages/events/src/good.ts': "import 'avsc'\nimport '@switchyard/kernel'",
  'packages/embedded/src/good.ts': "import 'lmdb'\nimport 'node:fs'",
  'packages/log-embedded/src/good.ts': "import '@switchyard/embedded'\nimport 'node:fs'\nimport '@switchyard/kernel'",
  'packages/http/src/good.ts':
    "import 'express'\nimport 'jsonwebtoken'\nimport type { Own } from '@switchyard/access'\nexport type A = Own",
  'packages/runtime/src/good.ts': "import 'pino'\nimport '@switchyard/events'",
  'services/decide/src/routes/good.ts': "import 'zod'\nimport 'express'\nimport '@switchyard/http'\nimport '@switchyard/routing'",
  'services/standalone/src/main.ts': "import '@switchyard/log-embedded'\nimport '@switchyard/decide'\nimport 'node:http'",
  'services/operator/src/good.ts': "import '@switchyard/decide'",
  'services/standalone/src/projector-worker.ts': "import '@switchyard/log-embedded'",
  'test/contract/good.int.test.ts': "import '@switchyard/log-memory'\nimport '@switchyard/testing'",
}

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

let planted = ''
let found: readonly Violation[] = []
beforeAll(() => {
  planted = plantWorkspace({ ...ALLOWED, ...Object.fromEntries(BREACHES.map(([, file, source]) => [file, source])) })
  const args = [cruiser, '--config', rules, '--output-type', 'json', 'packages', 'services', 'test']
  // The json reporter ends with 0 however many breaches it found.
  const { summary } = JSON.parse(execFileSync(process.execPath, args, { cwd: planted, encoding: 'utf8' }))
  found = summary.violations
})
afterAll(() => rmSync(planted, { recursive: true, force: true }))

describe('direction of imports', () => {
  test.each(BREACHES)('%s: found in %s', (rule, file) => {
    expect(found.filter(({ from }) => from === file).map(({ rule: { name } }) => name)).toContain(rule)
  })

  test('every rule has a planted breach', () => {
    const { forbidden } = createRequire(import.meta.url)(rules)
    expect(new Set(BREACHES.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }: { readonly name: string }) => name)))
  })

  test('what is allowed is not reported', () => {
    const cycle = 'packages/kernel/src/cycle-b.ts'
    expect(found.filter(({ from }) => from in ALLOWED && from !== cycle)).toEqual([])
  })
})
