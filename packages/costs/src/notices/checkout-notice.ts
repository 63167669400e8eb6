import { isSameText, memberAt, type NoticeFormat, parseJsonBytes, type ReadyReport, textOf, utf8 } from './report-notice.ts'

const REPORT_TYPES: ReadonlySet<string> = new Set(['financialactions', 'financialactionsbypayout'])

const reportsOf = (event: unknown): readonly ReadyReport[] => {
  const reference = textOf(memberAt(event, 'data', 'report_id'))
  const isReport =
    textOf(memberAt(event, 'type')) === 'report_generated' && REPORT_TYPES.has(textOf(memberAt(event, 'data', 'report_type')).toLowerCase())
  return isReport && reference !== '' ? [{ notificationId: textOf(memberAt(event, 'id')) || reference, reference }] : []
}

/** One event, signed as a whole (cost.md 3.2). */
export const checkoutNotice: NoticeFormat = {
  connector: 'checkout',
  signatureHeader: 'cko-signature',
  parse: ({ body, signature }) => {
    const event = parseJsonBytes(body)
    const account = textOf(memberAt(event, 'data', 'account', 'entity_id')) || textOf(memberAt(event, 'data', 'account', 'client_id'))
    if (account === '') return undefined
    return {
      account,
      isSigned: (secret, hmac) =>
        secret !== '' && isSameText(signature.trim().toLowerCase(), hmac('sha256', { key: utf8(secret), message: body, as: 'hex' })),
      reports: reportsOf(event),
    }
  },
}
