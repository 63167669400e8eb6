import type { AlgorithmKind } from '@switchyard/events'
import type { Experiment } from '../experiments/experiment.ts'

/** JSON that is kept for the client and never looked at. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A connector; two references are equal when both fields are. */
export interface ConnectorReference {
  readonly gatewayName: string
  readonly gatewayId: string | null
}

/** A connector and its share; shares are relative weights. */
export interface Split {
  readonly weight: number
  readonly connector: ConnectorReference
}

/** A list of connectors and its share. */
export interface PrioritySplit {
  readonly weight: number
  readonly connectors: readonly ConnectorReference[]
}

/** What an algorithm or a rule answers (rules.md 2.4). */
export type Output =
  | { readonly form: 'single'; readonly connector: ConnectorReference }
  | { readonly form: 'priority'; readonly connectors: readonly ConnectorReference[] }
  | { readonly form: 'volumeSplit'; readonly splits: readonly Split[] }
  | { readonly form: 'volumeSplitPriority'; readonly splits: readonly PrioritySplit[] }

/** How a parameter is compared with a condition's value. */
export type Comparison = 'equal' | 'notEqual' | 'lessThan' | 'lessThanEqual' | 'greaterThan' | 'greaterThanEqual'

/** What a payment parameter can be. */
export type ParameterValue =
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'enumVariant'; readonly value: string }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'metadata'; readonly key: string; readonly value: string }

/** One bound of a range. */
export interface NumberComparison {
  readonly comparison: Comparison
  readonly number: number
}

/** What a condition compares a parameter with (rules.md 2.6). */
export type ConditionValue =
  | ParameterValue
  | { readonly type: 'numberArray'; readonly values: readonly number[] }
  | { readonly type: 'numberComparisons'; readonly comparisons: readonly NumberComparison[] }
  | { readonly type: 'enumVariantArray'; readonly values: readonly string[] }
  | { readonly type: 'globalRef'; readonly name: string }

/** A comparison of one parameter, named by its routing key. */
export interface Condition {
  readonly key: string
  readonly comparison: Comparison
  readonly value: ConditionValue
  readonly metadata: Json
}

/** All conditions hold, and, when there are nested statements, at least one of them does. */
export interface Statement {
  readonly conditions: readonly Condition[]
  readonly nested: readonly Statement[]
}

/** What the client says that the output is; a `single` output goes with any of them. */
export type RoutingType = Exclude<Output['form'], 'single'>

/** Matches when any of its statements holds; without statements it never does. */
export interface Rule {
  readonly name: string
  readonly routingType: RoutingType
  readonly output: Output
  readonly statements: readonly Statement[]
}

/** A named set of values. */
export interface Global {
  readonly name: string
  readonly values: readonly ConditionValue[]
}

/** Rules from top to bottom, the first match wins; without a match the default applies. */
export interface Program {
  readonly globals: readonly Global[]
  readonly defaultSelection: Output
  readonly rules: readonly Rule[]
  readonly metadata: Json
}

/** The kinds that this release knows. */
export type KnownKind = Exclude<AlgorithmKind, 'UNKNOWN'>

/** A parsed algorithm that gives a payment its gateways by itself. */
export type StaticAlgorithm =
  | { readonly kind: 'SINGLE'; readonly output: Extract<Output, { readonly form: 'single' }> }
  | { readonly kind: 'PRIORITY'; readonly output: Extract<Output, { readonly form: 'priority' }> }
  | { readonly kind: 'VOLUME_SPLIT'; readonly output: Extract<Output, { readonly form: 'volumeSplit' }> }
  | { readonly kind: 'ADVANCED'; readonly program: Program }

/** A parsed algorithm. */
export type Algorithm = StaticAlgorithm | { readonly kind: 'AB_TEST'; readonly experiment: Experiment }
