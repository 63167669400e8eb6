export type { Expectation, Scenario } from './specification.ts'
export { specificationOf } from './specification.ts'
