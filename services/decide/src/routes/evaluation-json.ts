import { assertNever } from '@switchyard/kernel'
import type { ConnectorReference, Evaluation, Output } from '@switchyard/routing'
import { STATUS_WORDS } from './evaluate-answer.ts'
import { quoted, quotedOnce, writtenOnce } from './quoted.ts'

// Nearly every connector has a name alone, which is one piece then.
const withoutId = writtenOnce((name) => `{"gateway_name":${quotedOnce(name)},"gateway_id":null}`)
const beforeId = writtenOnce((name) => `{"gateway_name":${quotedOnce(name)},"gateway_id":`)

const connectorJson = ({ gatewayName, gatewayId }: ConnectorReference): string =>
  gatewayId === null ? withoutId(gatewayName) : `${beforeId(gatewayName)}${quoted(gatewayId)}}`

const listJson = <Item>(items: readonly Item[], json: (item: Item) => string): string => {
  let text = ''
  for (const item of items) text += text === '' ? json(item) : `,${json(item)}`
  return `[${text}]`
}

const connectorsJson = (connectors: readonly ConnectorReference[]): string => listJson(connectors, connectorJson)

const outputJson = (output: Output): string => {
  switch (output.form) {
    case 'single':
      return `{"type":"straight_through","connector":${connectorJson(output.connector)}}`
    case 'priority':
      return `{"type":"priority","connectors":${connectorsJson(output.connectors)}}`
    case 'volumeSplit': {
      const splits = listJson(output.splits, ({ connector, weight }) => `{"connector":${connectorJson(connector)},"split":${weight}}`)
      return `{"type":"volume_split","splits":${splits}}`
    }
    case 'volumeSplitPriority': {
      const splits = listJson(output.splits, ({ connectors, weight }) => `{"connectors":${connectorsJson(connectors)},"split":${weight}}`)
      return `{"type":"volume_split_priority","splits":${splits}}`
    }
    default:
      return assertNever(output)
  }
}

/** The text of `printEvaluation` in ASCII, written without making the value; a property test holds the two to each other. */
export const evaluationJson = (paymentId: string | null, { status, output, evaluated, eligible }: Evaluation): string => {
  const payment = paymentId === null ? 'null' : quotedOnce(paymentId)
  const answered = `"evaluated_output":${connectorsJson(evaluated)},"eligible_connectors":${connectorsJson(eligible)}}`
  return `{"payment_id":${payment},"status":"${STATUS_WORDS[status]}","output":${outputJson(output)},${answered}`
}
