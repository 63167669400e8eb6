// Which way imports may go: kernel <- events <- domains <- runtime, http <- services; adapters know their port and their
// driver. test/direction plants a breach of every rule and shows that it is found.
/** Tests, and the fixtures that only they import. */
const TEST = '\\.(?:test|fixture)\\.ts$'
const DOMAINS = 'access|routing|costs|analytics|webhooks'
const ADAPTERS = '(?:(?:log|store|schema-ids|mail)-[^/]+|outbound)'
/** Entry points choose adapters and read configuration: the process (`main` loads `program`), and the threads that it starts. */
const ENTRY_POINTS = '^services/[^/]+/src/(main|program|[a-z-]*worker)\\.ts$'

/** Each driver may be named in these places only. */
const DRIVERS = {
  kafkajs: '^packages/log-kafka/',
  '@kafkajs/confluent-schema-registry': '^packages/schema-ids-registry/',
  mongodb: '^packages/store-mongo/',
  lmdb: '^packages/(store-)?embedded/',
  undici: '^packages/outbound/',
  koffi: '^(services/standalone/src/c-library|packages/embedded/src/file-lock)',
  avsc: '^packages/events/',
  jsonwebtoken: '^packages/http/',
  'lossless-json': '^packages/http/',
  '@node-rs/argon2': '^packages/http/',
  express: '^(packages/http/|services/[^/]+/src/routes/)',
  nodemailer: '^packages/mail-smtp/',
  pino: '^packages/runtime/',
  'prom-client': '^packages/composition/src/metrics/',
  zod: '^(packages/(http|runtime|routing-data)/|packages/composition/src/health/|services/[^/]+/src/(routes|gateway-errors|debit-data|fetching)/)',
  papaparse: '^services/cost-ingestion/src/reading/',
  unpdf: '^packages/invoice-files/',
  'csv-parse': '^(packages/(routing-data|invoice-files)/|services/decide/src/(gateway-errors|debit-data)/)',
}

const driverRules = Object.entries(DRIVERS).map(([driver, home]) => ({
  name: `${driver.replace(/^@[^/]+\//, '')}-stays-home`,
  severity: 'error',
  from: { path: '^(packages|services)/', pathNot: home },
  to: { path: `(^|/)node_modules/(@types/)?${driver}(/|$)|^${driver}$` },
}))

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'everything-resolves',
      comment: 'An import of a path that a package does not export ends here too.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'kernel-is-pure',
      severity: 'error',
      from: { path: '^packages/kernel/src', pathNot: TEST },
      to: { pathNot: '^packages/kernel/src' },
    },
    {
      name: 'events-know-only-kernel-and-avro',
      severity: 'error',
      from: { path: '^packages/events/src', pathNot: TEST },
      to: { pathNot: '^packages/(kernel|events)/|(^|/)node_modules/avsc/' },
    },
    {
      name: 'domain-knows-only-kernel-and-events',
      severity: 'error',
      from: { path: `^packages/(${DOMAINS})/src`, pathNot: TEST },
      to: { pathNot: '^packages/(kernel|events|$1)/' },
    },
    {
      name: 'domain-tests-know-no-other-domain',
      severity: 'error',
      from: { path: `^packages/(${DOMAINS})/src.*${TEST}` },
      to: { path: `^(packages/(${DOMAINS}|runtime|http)|services)/`, pathNot: '^packages/$1/' },
    },
    {
      name: 'adapter-knows-only-kernel',
      severity: 'error',
      from: { path: `^packages/(${ADAPTERS})/src`, pathNot: TEST },
      to: { path: '^(packages|services|test|bench|demo|infra)/', pathNot: '^packages/(kernel|events|embedded|$1)/' },
    },
    {
      name: 'embedded-database-is-for-embedded-engines',
      severity: 'error',
      from: { pathNot: '^packages/((log|store)-)?embedded/' },
      to: { path: '^packages/embedded/' },
    },
    {
      name: 'embedded-database-knows-only-drivers',
      severity: 'error',
      from: { path: '^packages/embedded/src', pathNot: TEST },
      to: { path: '^(packages|services|test|bench|demo|infra)/', pathNot: '^packages/embedded/' },
    },
    {
      name: 'runtime-and-http-know-no-adapter-and-no-service',
      comment: 'Of domains they know types only; test/codebase checks that, imports of types look like any other here.',
      severity: 'error',
      from: { path: '^packages/(runtime|http)/src', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: `^packages/(kernel|events|${DOMAINS}|$1)/` },
    },
    {
      name: 'routing-data-knows-only-kernel-and-its-domains',
      severity: 'error',
      from: { path: '^packages/routing-data/src', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(kernel|routing|costs|routing-data)/' },
    },
    {
      name: 'invoice-files-know-only-kernel-and-costs',
      severity: 'error',
      from: { path: '^packages/invoice-files/src', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: '^packages/(kernel|costs|invoice-files)/' },
    },
    {
      name: 'composition-knows-no-adapter-and-no-service',
      severity: 'error',
      from: { path: '^packages/composition/src', pathNot: TEST },
      to: { path: '^(packages|services)/', pathNot: `^packages/(kernel|events|${DOMAINS}|runtime|http|composition)/` },
    },
    {
      name: 'services-are-islands',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/(standalone|operator)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'only-entry-points-choose-adapters',
      severity: 'error',
      from: { path: '^services/', pathNot: [ENTRY_POINTS, TEST] },
      to: { path: `^packages/${ADAPTERS}/` },
    },
    {
      name: 'entry-points-are-not-imported',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: '^services/[^/]+/src/main\\.ts$' },
      to: { path: ENTRY_POINTS },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: [TEST, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: [TEST, '^test/'] },
      to: { path: `${TEST}|^test/` },
    },
    {
      name: 'no-deep-imports',
      comment: 'Of another package or service only the index is known.',
      severity: 'error',
      from: { path: '^([^/]+/[^/]+)/' },
      to: { path: '^(packages|services)/[^/]+/src/', pathNot: ['^$1/', '^(packages|services)/[^/]+/src/index\\.ts$'] },
    },
    ...driverRules,
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: '(^|/)dist/',
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
}
