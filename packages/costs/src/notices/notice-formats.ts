import { adyenNotice } from './adyen-notice.ts'
import { checkoutNotice } from './checkout-notice.ts'
import type { NoticeFormat } from './report-notice.ts'

const FORMATS: ReadonlyMap<string, NoticeFormat> = new Map([adyenNotice, checkoutNotice].map((format) => [format.connector, format]))

/** The notices of a connector, by its name in any case; undefined for one that sends none. */
export const noticeFormatOf = (connector: string): NoticeFormat | undefined => FORMATS.get(connector.toLowerCase())
