/** What a registry without that part of the interface answers. */
const NOT_OFFERED = new Set([404, 405, 501])
const AUDIT_PATHS = ['/-/npm/v1/security/advisories/bulk', '/-/npm/v1/security/audits/quick']

const reportIn = (text) => {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}

const isNotOffered = ({ statusCode, uri = '' }) => NOT_OFFERED.has(statusCode) && AUDIT_PATHS.some((path) => uri.endsWith(path))

/**
 * What `npm audit --json` has found, by what it printed: `clean`, `weak`, `not-offered` when the registry has no advisories to ask
 * for (mirrors often don't), `failed` for everything else: a network that is away, a refusal, an output of another form.
 */
export const auditVerdict = (output) => {
  const report = reportIn(output)
  const total = report.metadata?.vulnerabilities?.total
  if (total === 0) return 'clean'
  if (Number.isInteger(total)) return 'weak'
  return isNotOffered(report) ? 'not-offered' : 'failed'
}
