export { sampleGatewayDecided, sampleOutcomeRecorded } from './sample-payments.ts'
export type { Expectation, Scenario } from './specification.ts'
export { specificationOf } from './specification.ts'
