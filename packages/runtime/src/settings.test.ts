import { describe, expect, test } from '@jest/globals'
import { parseSettings } from './settings.ts'

const SECRET = 'a-jwt-secret-of-at-least-thirty-two-bytes'
const production = { NODE_ENV: 'production', SWITCHYARD_ADMIN_SECRET: 'f4c1', SWITCHYARD_JWT_SECRET: SECRET }

const problemsOf = (env: Record<string, string>): string => {
  try {
    parseSettings(env)
  } catch (error) {
    expect(error).toMatchObject({ code: 'SETTING_INVALID', retryable: false })
    return error instanceof Error ? error.message : ''
  }
  return ''
}

describe('settings', () => {
  test('metrics on the port of the service are refused by name; two free ports are not the same', () => {
    expect(problemsOf({ PORT: '8081', SWITCHYARD_METRICS_PORT: '8081' })).toContain(
      'SWITCHYARD_METRICS_PORT: must be another port than PORT',
    )
    expect(problemsOf({ PORT: '0', SWITCHYARD_METRICS_PORT: '0' })).toBe('')
  })

  test('a metrics port that is neither a number nor off is told once', () => {
    const text = problemsOf({ SWITCHYARD_METRICS_PORT: 'on' })
    expect(text).toBe('the settings are not valid: SWITCHYARD_METRICS_PORT: must be a number or off')
  })

  test('lists of what is allowed may end in a comma, as templates and scripts leave them', () => {
    const { webhooks, reports, people } = parseSettings({
      SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8,',
      SWITCHYARD_REPORT_HOSTS: 'a.example, b.example,',
      SWITCHYARD_SUPER_ADMIN_EMAILS: 'ann@example.com,',
    })
    expect(webhooks.allowCidrs).toEqual(['10.0.0.0/8', 'fd00::/8'])
    expect([reports.hosts, people.superAdminEmails]).toEqual([['a.example', 'b.example'], ['ann@example.com']])
  })

  test('one more comma at the end of the old data key secrets was a secret that is too short', () => {
    const old = ['b'.repeat(32), 'c'.repeat(32)]
    expect(parseSettings({ SWITCHYARD_DATA_KEY_SECRETS_OLD: `${old.join(',')},` }).oldDataKeySecrets).toEqual(old)
  })

  test('nothing set: a development process on this machine', () => {
    expect(parseSettings({ PATH: '/bin', PORT: '' })).toEqual({
      port: 8080,
      host: '127.0.0.1',
      workers: 1,
      dataDir: './data',
      mongodbUri: undefined,
      adminSecret: 'test_admin',
      isDefaultAdminSecret: true,
      jwtSecret: undefined,
      people: expect.objectContaining({ superAdminEmails: [] }),
      mail: expect.objectContaining({ smtpUrl: undefined }),
      logLevel: 'info',
      rateLimits: { read: { perSecond: 200, burst: 1000 }, write: { perSecond: 100, burst: 500 } },
      metricsPort: { port: 9094, isDefault: true },
      drainMs: 0,
      gatewayErrorsFile: undefined,
      ruleDataFiles: { routingKeys: undefined, eligibility: undefined },
      debitDataFiles: { networkFees: undefined, binTable: undefined },
      downtime: {},
      scoring: {},
      contractRatesDecide: false,
      contractRatesFile: undefined,
      isProduction: false,
      dataKeySecret: undefined,
      tuning: expect.any(Object),
      oldDataKeySecrets: [],
      webhooks: { allowCidrs: [], allowHttp: false },
      reports: { spoolDir: undefined, samplesDir: undefined, pollSeconds: 3600, hosts: [] },
      kafka: undefined,
      schemaRegistry: undefined,
    })
  })

  test('everything set', () => {
    const env = {
      ...production,
      PORT: '0',
      HOST: '::',
      SWITCHYARD_WORKERS: '4',
      SWITCHYARD_DATA_DIR: '/var/lib/switchyard',
      SWITCHYARD_MONGODB_URI: 'mongodb+srv://ann:secret@cluster.example.com/payments',
      SWITCHYARD_SUPER_ADMIN_EMAILS: ' Ann@Example.com ,bob@example.com,',
      SWITCHYARD_EMAIL_VERIFICATION: 'on',
      SWITCHYARD_METRICS_PORT: 'off',
      SWITCHYARD_RATE_LIMIT_HOT: '5000/9000',
      SWITCHYARD_RATE_LIMIT_READ: 'off',
      SWITCHYARD_LOG_LEVEL: 'debug',
      SWITCHYARD_GATEWAY_ERRORS_FILE: './errors.csv',
      SWITCHYARD_ROUTING_KEYS_FILE: './keys.csv',
      SWITCHYARD_ELIGIBILITY_FILE: './eligibility.csv',
      SWITCHYARD_NETWORK_FEES_FILE: './fees.json',
      SWITCHYARD_BIN_TABLE_FILE: './bins.csv',
      SWITCHYARD_DOWNTIME_HALF_LIFE_MS: '60000',
      SWITCHYARD_DOWNTIME_PROBE_PAYMENT_COUNT: '0',
      SWITCHYARD_OUTCOME_WINDOW_MS: '900000',
      SWITCHYARD_CONTRACT_RATES_DECIDE: 'true',
      SWITCHYARD_CONTRACT_RATES_FILE: './rates.csv',
      SWITCHYARD_DATA_KEY_SECRET: 'another secret, for the keys of merchants',
      SWITCHYARD_DATA_KEY_SECRETS_OLD: `${'b'.repeat(32)}, ${'c'.repeat(32)}`,
      SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
      SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
    }
    expect(parseSettings(env)).toEqual({
      port: 0,
      host: '::',
      workers: 4,
      dataDir: '/var/lib/switchyard',
      mongodbUri: 'mongodb+srv://ann:secret@cluster.example.com/payments',
      adminSecret: 'f4c1',
      isDefaultAdminSecret: false,
      jwtSecret: SECRET,
      people: expect.objectContaining({ superAdminEmails: ['ann@example.com', 'bob@example.com'], emailVerification: true }),
      mail: expect.objectContaining({ smtpUrl: undefined }),
      logLevel: 'debug',
      rateLimits: { hot: { perSecond: 5000, burst: 9000 }, write: { perSecond: 100, burst: 500 } },
      metricsPort: { port: undefined, isDefault: false },
      drainMs: 3_000,
      gatewayErrorsFile: './errors.csv',
      ruleDataFiles: { routingKeys: './keys.csv', eligibility: './eligibility.csv' },
      debitDataFiles: { networkFees: './fees.json', binTable: './bins.csv' },
      downtime: { halfLifeMs: 60_000, probePaymentCount: 0 },
      scoring: { outcomeWindowMs: 900_000 },
      contractRatesDecide: true,
      contractRatesFile: './rates.csv',
      isProduction: true,
      dataKeySecret: 'another secret, for the keys of merchants',
      tuning: expect.any(Object),
      oldDataKeySecrets: ['b'.repeat(32), 'c'.repeat(32)],
      webhooks: { allowCidrs: ['10.0.0.0/8', 'fd00::/8'], allowHttp: true },
      reports: { spoolDir: undefined, samplesDir: undefined, pollSeconds: 3600, hosts: [] },
      kafka: undefined,
      schemaRegistry: undefined,
    })
  })

  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['SWITCHYARD_JWT_SECRET', 'too-short'],
    ['SWITCHYARD_ADMIN_SECRET', 'geheim-für-uns'],
    ['SWITCHYARD_ADMIN_SECRET', 'of-a-file\n'],
    ['SWITCHYARD_ADMIN_SECRET', ' padded '],
    ['SWITCHYARD_SUPER_ADMIN_EMAILS', 'ann@example.com,bob'],
    ['SWITCHYARD_LOG_LEVEL', 'loud'],
    ['SWITCHYARD_DOWNTIME_SAMPLE_COUNT', 'none'],
    ['SWITCHYARD_DOWNTIME_HALF_LIFE_MS', '10 min'],
    ['SWITCHYARD_OUTCOME_WINDOW_MS', '86400001'],
    ['SWITCHYARD_CONTRACT_RATES_DECIDE', 'yes'],
    ['SWITCHYARD_DATADIR', './data'],
    ['SWITCHYARD_WORKERS', '0'],
    ['SWITCHYARD_WORKERS', '17'],
    ['SWITCHYARD_WORKERS', 'many'],
    ['SWITCHYARD_MONGODB_URI', 'ann:secret@host'],
    ['SWITCHYARD_DATA_KEY_SECRET', 'too-short'],
    ['SWITCHYARD_DATA_KEY_SECRETS_OLD', `${'b'.repeat(32)},too-short`],
    ['SWITCHYARD_WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['SWITCHYARD_WEBHOOK_ALLOW_CIDRS', '10.0.0.0'],
    ['SWITCHYARD_WEBHOOK_ALLOW_HTTP', 'yes'],
  ])('%s=%s is refused by name, without its value', (name, value) => {
    const text = problemsOf({ [name]: value })
    expect(text).toContain(`${name}: `)
    expect(text).not.toContain(value)
  })

  test('all problems are named at once, in one line', () => {
    const text = problemsOf({ PORT: 'x', SWITCHYARD_LOG_LEVEL: 'y', SWITCHYARD_COLOUR: 'z', NODE_ENV: 'production' })
    for (const name of ['PORT', 'SWITCHYARD_LOG_LEVEL', 'SWITCHYARD_COLOUR', 'SWITCHYARD_ADMIN_SECRET', 'SWITCHYARD_JWT_SECRET']) {
      expect(text).toContain(`${name}: `)
    }
  })

  test.each([
    ['SWITCHYARD_ADMIN_SECRET', ''],
    ['SWITCHYARD_ADMIN_SECRET', 'test_admin'],
    ['SWITCHYARD_JWT_SECRET', ''],
  ])('production needs its own %s, not %j', (name, value) => {
    expect(problemsOf({ ...production, [name]: value })).toContain(`${name}: `)
  })
})
