// The table of the demo: what the server says of its deliveries beside what the receivers saw.
const COLUMNS = ['endpoint', 'events', 'delivered', 'failed yet', 'under way', 'requests seen', 'receiver now']

const countOf = (rows, profile, isDelivered) => rows.filter((row) => row.profile === profile && row.isDelivered === isDelivered).length

const cellsOf = (rows, { profile, received, doing }) => [
  profile,
  rows.filter((row) => row.profile === profile).length,
  countOf(rows, profile, true),
  countOf(rows, profile, false),
  countOf(rows, profile, null),
  received,
  doing,
]

/**
 * The deliveries of each endpoint as lines of text, `seconds` after the start.
 *
 * @param {readonly { readonly profile: string, readonly isDelivered: boolean | null }[]} rows
 * @param {readonly { readonly profile: string, readonly received: number, readonly doing: string }[]} states
 * @param {number} seconds
 */
export const deliveriesTable = (rows, states, seconds) => {
  const lines = [COLUMNS, ...states.map((state) => cellsOf(rows, state).map(String))]
  const widths = COLUMNS.map((_column, index) => Math.max(...lines.map((line) => line[index].length)))
  const print = (line) =>
    line
      .map((cell, index) => cell.padEnd(widths[index]))
      .join('  ')
      .trimEnd()
  return [`${seconds.toFixed(0)} s`, ...lines.map(print)].join('\n')
}
