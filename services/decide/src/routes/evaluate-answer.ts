import { assertNever } from '@switchyard/kernel'
import type { ConnectorReference, Evaluation, Output } from '@switchyard/routing'
import type { Connector } from './hybrid-connectors.ts'

/** The status as clients see it. */
export const STATUS_WORDS: Readonly<Record<Evaluation['status'], string>> = { SUCCESS: 'success', DEFAULT_SELECTION: 'default_selection' }

/** A connector as answers have it. */
export const printConnector = ({ gatewayName, gatewayId }: ConnectorReference): Connector => ({
  gateway_name: gatewayName,
  gateway_id: gatewayId,
})

const printOutput = (output: Output): object => {
  switch (output.form) {
    case 'single':
      return { type: 'straight_through', connector: printConnector(output.connector) }
    case 'priority':
      return { type: 'priority', connectors: output.connectors.map(printConnector) }
    case 'volumeSplit':
      return {
        type: 'volume_split',
        splits: output.splits.map(({ connector, weight }) => ({ connector: printConnector(connector), split: weight })),
      }
    case 'volumeSplitPriority':
      return {
        type: 'volume_split_priority',
        splits: output.splits.map(({ connectors, weight }) => ({ connectors: connectors.map(printConnector), split: weight })),
      }
    default:
      return assertNever(output)
  }
}

/** The body of an answered evaluation (rules.md 6.6). */
export const printEvaluation = (paymentId: string | null, { status, output, evaluated, eligible }: Evaluation): object => ({
  payment_id: paymentId,
  status: STATUS_WORDS[status],
  output: printOutput(output),
  evaluated_output: evaluated.map(printConnector),
  eligible_connectors: eligible.map(printConnector),
})
