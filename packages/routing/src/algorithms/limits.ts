/** Most algorithms of a merchant. */
export const ALGORITHM_COUNT_MAX = 1000
/** Longest stored definition, in bytes of UTF-8: it travels in one record. */
export const DEFINITION_BYTES_MAX: number = 1024 * 1024
/** Longest sum of a merchant's definitions, in bytes of UTF-8: they are kept as one document. */
export const DEFINITIONS_BYTES_MAX: number = 8 * 1024 * 1024
/** Most rules of a program. */
export const RULE_COUNT_MAX = 500
/** Most conditions of a program, over all rules. */
export const CONDITION_COUNT_MAX = 5000
/** Deepest nesting of statements; a statement of a rule has depth 1. */
export const STATEMENT_DEPTH_MAX = 16
/** What the weights of a split should add up to. */
export const SPLIT_TOTAL = 100
/** Most tries of a condition with a value that filling a decision table may take (about 30 ns each); a parameter that takes more is left out. */
export const DECISION_TABLE_TESTS_MAX = 2_500_000
/** Most rows of a decision table, over all parameters: each takes up to 200 bytes, as long as its algorithm is stored. */
export const DECISION_TABLE_ROWS_MAX = 65_536
/** Most parameters that a decision table goes by; those that most conditions look at come first. */
export const DECISION_TABLE_SUBJECTS_MAX = 64
