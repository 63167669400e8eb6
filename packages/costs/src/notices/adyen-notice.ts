import type { Hmac } from '@switchyard/kernel'
import { fromHex, isSameText, memberAt, type NoticeFormat, parseJsonBytes, type ReadyReport, textOf, utf8 } from './report-notice.ts'

/** Items of one notice that are looked at. */
const ITEM_COUNT_MAX = 100
const REPORT_AVAILABLE = 'REPORT_AVAILABLE'

/** A field of an item, by its path. */
type Item = (...path: readonly string[]) => string

const jsonItem =
  (item: unknown): Item =>
  (...path) =>
    textOf(memberAt(item, ...path))

/** Keys of a form join the path with dots. */
const formItem = (body: Uint8Array): Item => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  return (...path) => form.get(path.join('.')) ?? ''
}

const itemsOf = (body: Uint8Array): readonly Item[] => {
  const json = parseJsonBytes(body)
  if (json === undefined) return [formItem(body)]
  const items = memberAt(json, 'notificationItems')
  if (!Array.isArray(items)) return [jsonItem(json)]
  return items.slice(0, ITEM_COUNT_MAX).map((item: unknown) => jsonItem(memberAt(item, 'NotificationRequestItem')))
}

const escaped = (field: string): string => field.replaceAll('\\', '\\\\').replaceAll(':', '\\:')

/** What is signed of an item (cost.md 3.2). */
const signedText = (item: Item): string => {
  const fields = ['pspReference', 'originalReference', 'merchantAccountCode', 'merchantReference'].map((name) => escaped(item(name)))
  return [...fields, item('amount', 'value'), item('amount', 'currency'), escaped(item('eventCode')), escaped(item('success'))].join(':')
}

const isItemSigned = (item: Item, key: Uint8Array, hmac: Hmac): boolean =>
  isSameText(item('additionalData', 'hmacSignature'), hmac('sha256', { key, message: utf8(signedText(item)), as: 'base64' }))

/** Reports are named by their files, of which all accounts have one of the same name each day. */
const nameOf = (item: Item): string => {
  const name = item('pspReference')
  return name === '' ? '' : `${item('merchantAccountCode')}/${name}`
}

const reportOf = (item: Item): readonly ReadyReport[] => {
  const reference = item('reason')
  if (item('eventCode') !== REPORT_AVAILABLE || item('success') === 'false' || reference === '') return []
  return [{ notificationId: nameOf(item) || reference, reference }]
}

/** A batch of items of one account, each signed by itself. */
export const adyenNotice: NoticeFormat = {
  connector: 'adyen',
  signatureHeader: undefined,
  parse: ({ body }) => {
    const items = itemsOf(body)
    const account = items[0]?.('merchantAccountCode') ?? ''
    if (account === '' || items.some((item) => item('merchantAccountCode') !== account)) return undefined
    return {
      account,
      isSigned: (secret, hmac) => {
        const key = fromHex(secret)
        return key !== undefined && items.every((item) => isItemSigned(item, key, hmac))
      },
      reports: items.flatMap(reportOf),
    }
  },
}
