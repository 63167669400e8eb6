export { loadContractRates } from './contract-rates-table.ts'
export { distinctColumns } from './distinct-columns.ts'
export type { RuleData, RuleDataFiles } from './load-rule-data.ts'
export { loadRuleData } from './load-rule-data.ts'
