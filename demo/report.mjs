import { GATEWAYS, IMPROVEMENT, METHODS, OUTAGE, PHASES } from './market.mjs'

const percent = (value) => (Number.isNaN(value) ? '–' : `${(value * 100).toFixed(1)} %`)

/**
 * Lines of a table: the first column to the left, the others to the right, a rule under the head.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export const tableLines = (head, rows) => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  const line = (cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  ')
  return [line(head), widths.map((width) => '─'.repeat(width)).join('──'), ...rows.map(line)]
}

const scoreCell = ({ score, trueRate }) => (Number.isNaN(score) ? '–' : `${(score * 100).toFixed(0)} (${(trueRate * 100).toFixed(0)})`)

const gatewayTable = (rows) =>
  tableLines(
    ['phase, gateway', 'payments', 'share', 'approved', ...METHODS.map(({ label }) => label)],
    rows.map(({ phase, gateway, paymentCount, share, approvalRate, scores }) => [
      `${phase.padEnd(8)}${gateway}`,
      paymentCount.toLocaleString('en'),
      percent(share),
      percent(approvalRate),
      ...scores.map(scoreCell),
    ]),
  )

const comparisonTable = (comparison) =>
  tableLines(
    ['router', ...PHASES.map(({ name }) => name), 'all', 'approvals', 'against round-robin'],
    comparison.map(({ name, rates, rate, approvalCount }) => {
      const extra = approvalCount - (comparison.find((row) => row.name === 'round-robin')?.approvalCount ?? 0)
      return [
        name,
        ...rates.map(percent),
        percent(rate),
        approvalCount.toLocaleString('en'),
        `${extra < 0 ? '' : '+'}${extra.toLocaleString('en')}`,
      ]
    }),
  )

/**
 * The closing report of a run.
 *
 * @param {import('./summary.mjs').Summary} summary
 */
export const reportText = ({ rows, comparison, answeredCount, unansweredCount, exploredShare }) =>
  [
    '',
    ...gatewayTable(rows),
    '',
    'The last columns: the score of the gateway for that method when the phase ended, and in brackets its true approval rate then, in per cent.',
    'A score is only as fresh as the traffic behind it: a gateway that gets few payments is remembered, not measured.',
    '',
    ...comparisonTable(comparison),
    '',
    `${answeredCount.toLocaleString('en')} payments, ${percent(exploredShare)} of them explored${unansweredCount === 0 ? '' : `; ${unansweredCount} were never answered and count nowhere`}.`,
    `What the market did: ${OUTAGE.gateway} approved ${percent(OUTAGE.rate)} during the outage; ${IMPROVEMENT.gateway} gained ${percent(IMPROVEMENT.gain)} from ${percent(IMPROVEMENT.from)} to ${percent(IMPROVEMENT.to)} of the run;`,
    `rates of all ${GATEWAYS.length} gateways also depend on currency and card network.`,
    'What the router could see: outcomes of the payments that it sent, by payment method only (no currency, no network). "best per method" is the',
    'ceiling for that view, and knows every change at once; "all-knowing" also looks at currency and network. Both know the true rates.',
    '',
  ].join('\n')
