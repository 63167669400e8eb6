import type { Catalogue, EligibilityTable } from '@switchyard/routing'
import { loadCatalogue } from './catalogue-table.ts'
import { loadEligibility } from './eligibility-rules.ts'

/** What the deployment says about rules. */
export interface RuleData {
  readonly catalogue: Catalogue
  readonly eligibility: EligibilityTable
}

/** Paths of the deployment's files; undefined: the one that comes with the release. */
export interface RuleDataFiles {
  readonly routingKeys: string | undefined
  readonly eligibility: string | undefined
}

/** Loads and checks both tables; throws `SETTING_INVALID` that names line, column and reason. */
export const loadRuleData = ({ routingKeys, eligibility }: RuleDataFiles): RuleData => ({
  catalogue: loadCatalogue(routingKeys),
  eligibility: loadEligibility(eligibility),
})
