import type { Catalogue } from './catalogue.ts'
import { type CompiledAlgorithmOf, createAlgorithmCompiler } from './compile-algorithm.ts'

/** What algorithms are evaluated with: the deployment's vocabulary, and the algorithms compiled against it. */
export interface RuleEvaluator {
  readonly catalogue: Catalogue
  readonly compiledOf: CompiledAlgorithmOf
}

/** One for a process: each algorithm is compiled once. */
export const createRuleEvaluator = (catalogue: Catalogue): RuleEvaluator => ({ catalogue, compiledOf: createAlgorithmCompiler(catalogue) })
