const percent = (share) => `${(share * 100).toFixed(1)} %`
const money = (value) => value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = (value) => Math.round(value).toLocaleString('en')

/** Lines of columns as wide as their widest cell; the first one to the left. */
const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '))
    .join('\n')
}

/** How much of what was settled has a price that can be trusted, by connector. */
export const coverageTable = ({ sources, ...all }) => {
  const row = (name, source) => [
    name,
    whole(source.total_clusters),
    whole(source.good_clusters),
    whole(source.tiered_clusters),
    whole(source.thin_clusters),
    whole(source.non_linear_clusters - source.tiered_clusters),
    whole(source.total_txns),
    percent(source.priced_txn_pct / 100),
    `${source.bps_rmse_p50.toFixed(1)} bps`,
  ]
  const header = ['connector', 'clusters', 'good', 'tiered', 'thin', 'poor fit', 'payments', 'priced', 'median error']
  return table([header, ...sources.map((source) => row(source.connector, source)), row('all', all)])
}

/** What weighing cost saved, by currency; `realised` is what the server counts of payments that were approved. */
export const savingsTable = ({ byCurrency }, realised) =>
  table([
    ['currency', 'moved', 'their value', 'saved as told', 'saved in truth', 'of approved ones', 'approvals given up'],
    ...[...byCurrency.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { count, amount, told, real, givenUp }]) => [
        currency,
        whole(count),
        money(amount),
        money(told),
        money(real),
        money(realised.get(currency)),
        money(givenUp),
      ]),
  ])
