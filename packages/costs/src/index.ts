export type { SettledDay } from '@switchyard/events'
export type { AccountDirectory } from './accounts/account-directory.ts'
export { createAccountDirectory } from './accounts/account-directory.ts'
export type {
  AccountOwner,
  ConnectorAccount,
  ConnectorAccountsCommand,
  ConnectorAccountsRejection,
  SealedSecret,
} from './accounts/connector-accounts.ts'
export { accountIdOf, connectorAccounts } from './accounts/connector-accounts.ts'
export { downloadHintOf, NO_HINT, secretHintOf } from './accounts/secret-hint.ts'
export type { ChoiceCause } from './choice/choice-reason.ts'
export type { Candidate, Choice, RankedCandidate } from './choice/choose-by-expected-value.ts'
export { chooseByExpectedValue } from './choice/choose-by-expected-value.ts'
export type { MappedColumns, ReportColumns, ReportColumnsCommand, ReportColumnsRejection } from './columns/report-columns.ts'
export { columnsOf, reportColumns } from './columns/report-columns.ts'
export { GROUPED_PAYMENT_COUNT_MAX } from './connectors/checkout.ts'
export { REPORT_FORMATS, reportFormatOf } from './connectors/report-formats.ts'
export type { ContractRates, ContractRatesCommand, ContractRatesRejection } from './contracts/contract-rates.ts'
export { contractRates } from './contracts/contract-rates.ts'
export { fitAccount } from './fit/fit-account.ts'
export type { Fee, FittedCluster, Tier } from './fit/fitted-cluster.ts'
export type { Verdict } from './fit/grade.ts'
export { GOOD_ERROR_MAX_BPS, GRADED_COUNT_MIN } from './fit/grade.ts'
export { ERROR_UNKNOWN_BPS } from './fit/line.ts'
export type { FitIdentity } from './fits/fit-events.ts'
export { fitEvents } from './fits/fit-events.ts'
export type { FitHead, FitHeads } from './fits/fit-heads.ts'
export { fitHeads, readFit } from './fits/fit-heads.ts'
export type { AccountFit, TouchedClusters } from './fits/fit-reports.ts'
export { fitReports } from './fits/fit-reports.ts'
export type { PositionedChunk, StoredFitChunk } from './fits/latest-fits.ts'
export { latestFits, readSettledDays, readStoredFitChunks } from './fits/latest-fits.ts'
export type { FitChunk, LearnedFit } from './fits/learned-fit.ts'
export { categoryCountsOfFit, fittedClusterOf, wholeFit } from './fits/learned-fit.ts'
export type { RecordedCost } from './fits/recorded-cost.ts'
export type { ContributionChunk } from './ingestions/contribution-chunks.ts'
export { contributionChunks, contributionOf } from './ingestions/contribution-chunks.ts'
export { COUNTED_INDEX, costIngestions, DUE_INDEX, LISTED_INDEX, UNFITTED_INDEX } from './ingestions/cost-ingestions.ts'
export type { IngestedReport, Ingestion, IngestionEvent, IngestionStatus, ReportFit } from './ingestions/ingestion.ts'
export type { IngestionCommand, IngestionRejection } from './ingestions/ingestion-commands.ts'
export { decideIngestion, isDue, mustNotRace } from './ingestions/ingestion-commands.ts'
export { CLOCK_ERROR_MS, CONTRIBUTION_CHUNK_COUNT, INGESTION_LIST_COUNT_MAX, LEASE_MS } from './ingestions/limits.ts'
export type { NoticedChange, NoticedChanges } from './ingestions/noticed-changes.ts'
export { noticedChanges } from './ingestions/noticed-changes.ts'
export type { StoredContribution } from './ingestions/report-contributions.ts'
export { reportContributions } from './ingestions/report-contributions.ts'
export type { Invoice, ReadInvoice } from './invoices/invoice.ts'
export { INVOICE_LINE_COUNT_MAX } from './invoices/invoice.ts'
export type { InvoiceAddOn, InvoiceEntry, Reconciliation, SettledVolume } from './invoices/invoice-add-on.ts'
export { addOnOfInvoice, reconcile } from './invoices/invoice-add-on.ts'
export type {
  AccountAddOn,
  InvoiceAddOns,
  InvoiceAddOnsCommand,
  InvoiceAddOnsRejection,
} from './invoices/invoice-add-ons.ts'
export { invoiceAddOns, servedAddOn } from './invoices/invoice-add-ons.ts'
export type { InvoiceLine, InvoiceLineKind } from './invoices/invoice-line.ts'
export { readInvoiceTable } from './invoices/read-invoice-table.ts'
export { readInvoiceText } from './invoices/read-invoice-text.ts'
export type { Period } from './invoices/settled-days.ts'
export { settledIn } from './invoices/settled-days.ts'
export { ACCOUNT_LENGTH_MAX, CLUSTER_OVERRIDE_COUNT_MAX } from './limits.ts'
export { noticeFormatOf } from './notices/notice-formats.ts'
export type { NoticeFormat, ParsedNotice, ReadyReport, SentNotice } from './notices/report-notice.ts'
export type {
  ConnectorOverride,
  CostOverrides,
  CostOverridesCommand,
  CostOverridesRejection,
  StoredClusterOverride,
} from './overrides/cost-overrides.ts'
export { costOverrides } from './overrides/cost-overrides.ts'
export { costCollections } from './read-models.ts'
export type { ClusterClass, ClusterFacet, ClusterFilter, ConnectorCluster, ListedCluster } from './reads/cluster-list.ts'
export { CLUSTER_LIST_COUNT_MAX, clusterFacets, clusterKeyText, listClusters, parseClusterKey } from './reads/cluster-list.ts'
export type { ConnectorFee, LearnedFee } from './reads/connector-fees.ts'
export { connectorFee } from './reads/connector-fees.ts'
export type { Coverage, CoverageShare, CurrencyCoverage } from './reads/coverage.ts'
export { coverageOf } from './reads/coverage.ts'
export type { Fit, PriceChange } from './reads/price-changes.ts'
export { PRICE_CHANGE_COUNT_MAX, priceChanges } from './reads/price-changes.ts'
export type { Savings, SavingsCurrency, WeighedDecision } from './reads/savings.ts'
export { savingsCurrencies, savingsOf } from './reads/savings.ts'
export type { Channel, FeeParts, FeeTotal, Funding, PaymentKind, ReportRow, SettledPayment } from './reports/canonical-row.ts'
export type { Day } from './reports/day.ts'
export { dayAt, dayText, parseIsoDay } from './reports/day.ts'
export { networkOf } from './reports/network-labels.ts'
export type { MappingProblem, Preflight } from './reports/preflight.ts'
export { HEADER_SAMPLE_BYTES_MAX, mappingProblems, preflight } from './reports/preflight.ts'
export type { Preview, PreviewRow } from './reports/preview.ts'
export { PREVIEW_ROW_COUNT_MAX, previewOf } from './reports/preview.ts'
export type { CellProblem } from './reports/report-cells.ts'
export type { ReportFormat, RowParser } from './reports/report-format.ts'
export type { ColumnMapping, ReportReader, ReportResult, ReportTally } from './reports/report-reader.ts'
export { createReportReader, UNREADABLE_SHARE_MAX } from './reports/report-reader.ts'
export type { ContractedPayment, ContractRate } from './serving/contract-rates.ts'
export { CONTRACT_RATE_COUNT_MAX } from './serving/contract-rates.ts'
export type {
  AddOn,
  CategoryCount,
  ClusterKey,
  ClusterOverride,
  LearnedAccount,
  LearnedModel,
  PricedPayment,
  SetCosts,
} from './serving/cost-model.ts'
export type { CostRung, CostTable, GatewayCost, PaymentCosts } from './serving/cost-table.ts'
export { createCostTable } from './serving/cost-table.ts'
export type { LearnedCosts } from './serving/learned-costs.ts'
export { buffersOf, compileLearnedCosts } from './serving/learned-costs.ts'
export type { LearnedRung } from './serving/learned-index.ts'
export { LearnedIndex } from './serving/learned-index.ts'
export { variantOfPayment } from './serving/model-names.ts'
export type { ContractProblem, SimulatedCost } from './serving/simulate-contract.ts'
export { contractProblems, isFee, simulateContract } from './serving/simulate-contract.ts'
export type { Band } from './statistics/band.ts'
export type { RateOfBin } from './statistics/bin-rates.ts'
export { dominantRates } from './statistics/bin-rates.ts'
export type { BinRateCount, Bucket, Contribution, TotalsBucket } from './statistics/contribution.ts'
export type { FitCluster } from './statistics/fit-cluster.ts'
export { clusterText } from './statistics/fit-cluster.ts'
export type { ReportSummary, RolledUp } from './statistics/roll-up.ts'
export { RollUp } from './statistics/roll-up.ts'
export type { Statistics } from './statistics/statistics.ts'
export { RETENTION_DAYS, statisticsOf } from './statistics/statistics.ts'
export type { Sums } from './statistics/sums.ts'
