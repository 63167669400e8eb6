import { describe, expect, test } from '@jest/globals'
import { parsePeopleSettings } from './people-settings.ts'

describe('settings of people and mails', () => {
  test('nothing set', () => {
    expect(parsePeopleSettings({})).toEqual({
      problems: [],
      settings: {
        people: {
          superAdminEmails: [],
          signupRequiresAdminSecret: false,
          emailVerification: false,
          requireExplicitPermissions: false,
          trustedProxyCount: 0,
          passwordCost: {},
          throttle: { accountAttemptCount: 10, addressAttemptCount: 100 },
          sessionLifetimeMs: 86_400_000,
          handoffLifetimeMs: 1_200_000,
        },
        mail: { smtpUrl: undefined, sender: 'switchyard@localhost', baseUrl: 'http://localhost:8080' },
      },
    })
  })
  test('everything set', () => {
    const given = {
      SWITCHYARD_SUPER_ADMIN_EMAILS: ' Ann@Example.com ,bob@example.com,',
      SWITCHYARD_SIGNUP_REQUIRES_ADMIN_SECRET: 'on',
      SWITCHYARD_EMAIL_VERIFICATION: 'on',
      SWITCHYARD_REQUIRE_EXPLICIT_PERMISSIONS: 'on',
      SWITCHYARD_TRUSTED_PROXY_COUNT: '2',
      SWITCHYARD_PASSWORD_MEMORY_KIB: '65536',
      SWITCHYARD_PASSWORD_PASS_COUNT: '3',
      SWITCHYARD_LOGIN_ATTEMPTS_PER_ACCOUNT: '5',
      SWITCHYARD_LOGIN_ATTEMPTS_PER_ADDRESS: '50',
      SWITCHYARD_SESSION_LIFETIME_MS: '3600000',
      SWITCHYARD_HANDOFF_SESSION_LIFETIME_MS: '600000',
      SWITCHYARD_SMTP_URL: 'smtps://user:p%40ss@mail.example.com',
      SWITCHYARD_MAIL_SENDER: 'no-reply@example.com',
      SWITCHYARD_MAIL_BASE_URL: 'https://pay.example.com/app/',
    }
    expect(parsePeopleSettings(given).settings).toEqual({
      people: {
        superAdminEmails: ['ann@example.com', 'bob@example.com'],
        signupRequiresAdminSecret: true,
        emailVerification: true,
        requireExplicitPermissions: true,
        trustedProxyCount: 2,
        passwordCost: { memoryKib: 65_536, passCount: 3 },
        throttle: { accountAttemptCount: 5, addressAttemptCount: 50 },
        sessionLifetimeMs: 3_600_000,
        handoffLifetimeMs: 600_000,
      },
      mail: {
        smtpUrl: 'smtps://user:p%40ss@mail.example.com',
        sender: 'no-reply@example.com',
        baseUrl: 'https://pay.example.com/app',
      },
    })
  })
  test.each<[Record<string, string>, string]>([
    [{ SWITCHYARD_SUPER_ADMIN_EMAILS: 'ann' }, 'SWITCHYARD_SUPER_ADMIN_EMAILS: must be e-mail addresses separated by commas'],
    [{ SWITCHYARD_EMAIL_VERIFICATION: 'yes' }, 'SWITCHYARD_EMAIL_VERIFICATION: must be on or off'],
    [{ SWITCHYARD_PASSWORD_MEMORY_KIB: '7' }, 'SWITCHYARD_PASSWORD_MEMORY_KIB: must be from 8 to 1048576'],
    [{ SWITCHYARD_SESSION_LIFETIME_MS: '86400001' }, 'SWITCHYARD_SESSION_LIFETIME_MS: must be from 1000 to 86400000'],
    [{ SWITCHYARD_SMTP_URL: 'http://mail' }, 'SWITCHYARD_SMTP_URL: must be an address smtp://… or smtps://…'],
    [{ SWITCHYARD_SMTP_URL: 'smtp://' }, 'SWITCHYARD_SMTP_URL: must be an address smtp://… or smtps://…'],
    [{ SWITCHYARD_SMTP_URL: 'smtp:///mail' }, 'SWITCHYARD_SMTP_URL: must be an address smtp://… or smtps://…'],
    [
      { SWITCHYARD_SMTP_URL: 'smtp://user:100%@mail', SWITCHYARD_MAIL_SENDER: 'no-reply@example.com' },
      'SWITCHYARD_SMTP_URL: has a percent sign in its user or password that must be written %25',
    ],
    [
      { SWITCHYARD_MAIL_BASE_URL: 'https://pay.example.com/?tenant=a' },
      'SWITCHYARD_MAIL_BASE_URL: must not end in a query, which the links would be put into',
    ],
    [{ SWITCHYARD_SMTP_URL: 'smtp://mail' }, 'SWITCHYARD_MAIL_SENDER: is required with SWITCHYARD_SMTP_URL'],
    [
      { NODE_ENV: 'production', SWITCHYARD_SUPER_ADMIN_EMAILS: 'ann@example.com' },
      'SWITCHYARD_EMAIL_VERIFICATION: must be on in production with SWITCHYARD_SUPER_ADMIN_EMAILS',
    ],
  ])('%j is refused', (given, problem) => {
    expect(parsePeopleSettings(given).problems).toEqual([problem])
  })
  test('pages that are told apart behind a # take links, too', () => {
    const { settings } = parsePeopleSettings({ SWITCHYARD_MAIL_BASE_URL: 'https://pay.example.com/?tenant=a#/' })
    expect(settings?.mail.baseUrl).toBe('https://pay.example.com/?tenant=a#')
  })
  test('addresses of super admins are spelt as those of accounts are, accents composed', () => {
    const { settings } = parsePeopleSettings({ SWITCHYARD_SUPER_ADMIN_EMAILS: 'Rene\u0301@example.com' })
    expect(settings?.people.superAdminEmails).toEqual(['ren\u00e9@example.com'])
  })
  test('a problem never shows a value', () => {
    expect(parsePeopleSettings({ SWITCHYARD_SMTP_URL: 'smtpx://user:secret@mail' }).problems.join()).not.toContain('secret')
  })
})
