// `npm run audit`: known weaknesses of what is installed, as the package registry knows them. Fails when there is one, and says
// so when the registry tells none: mirrors often don't.
import { run } from './setup.mjs'

const { output } = run('npm', ['audit', '--json'])

/** @returns {{ readonly metadata?: { readonly vulnerabilities?: { readonly total?: number } } }} */
const reportIn = (text) => {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}

const total = reportIn(output).metadata?.vulnerabilities?.total
if (total === undefined) console.log('not audited: the package registry tells no known weaknesses')
else if (total === 0) console.log('no known weaknesses')
else {
  console.error(output)
  process.exitCode = 1
}
