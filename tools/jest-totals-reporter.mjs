import { writeFileSync } from 'node:fs'
import { totalsLine } from './totals.mjs'

/**
 * Prints the totals as the last line, or leaves them in the file named by JEST_TOTALS_FILE, for `npm test` to add its own
 * checks. A suite that could not run counts as one failure.
 */
export default class TotalsReporter {
  onRunComplete(_contexts, results) {
    const totals = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    }
    const file = process.env.JEST_TOTALS_FILE
    if (file) writeFileSync(file, JSON.stringify(totals))
    else process.stdout.write(`${totalsLine(totals)}\n`)
  }
}
