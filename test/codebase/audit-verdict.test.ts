import { expect, test } from '@jest/globals'
import { auditVerdict } from '../../tools/audit-verdict.mjs'

const bulk = 'https://registry.example/-/npm/v1/security/advisories/bulk'
const refused = (statusCode: number, uri = bulk): string =>
  `${JSON.stringify({ message: `${statusCode}`, method: 'POST', uri, statusCode, error: {} }, null, 2)}\nnpm error audit endpoint returned an error`
const found = (total: unknown): string => JSON.stringify({ vulnerabilities: {}, metadata: { vulnerabilities: { total } } })

test.each([
  ['nothing found', found(0), 'clean'],
  ['one weakness', found(1), 'weak'],
  ['a registry without advisories: no such path', refused(404), 'not-offered'],
  ['a registry without advisories: no such method', refused(405), 'not-offered'],
  ['a registry without advisories: the older path', refused(404, 'https://registry.example/-/npm/v1/security/audits/quick'), 'not-offered'],
  ['a refusal', refused(401), 'failed'],
  ['a registry at fault', refused(500), 'failed'],
  ['another path that is missing', refused(404, 'https://registry.example/some-package'), 'failed'],
  ['a network that is away', 'npm error code ECONNREFUSED', 'failed'],
  ['an error of npm in JSON', JSON.stringify({ error: { code: 'ENOLOCK', summary: 'no lock file' } }), 'failed'],
  ['a total that is none', found('many'), 'failed'],
  ['nothing at all', '', 'failed'],
])('the audit of what is installed: %s', (_name, output, verdict) => {
  expect(auditVerdict(output)).toBe(verdict)
})
