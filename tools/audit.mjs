// `npm run audit`: known weaknesses of what is installed, as the package registry knows them. Fails when there is one or when it
// can't be told; only a registry that offers no advisories at all is passed by, and said.
import { auditVerdict } from './audit-verdict.mjs'
import { run } from './setup.mjs'

const { output } = run('npm', ['audit', '--json'])
const verdict = auditVerdict(output)
if (verdict === 'clean') console.log('no known weaknesses')
else if (verdict === 'not-offered') console.log('not audited: the package registry offers no advisories')
else {
  console.error(output)
  process.exitCode = 1
}
