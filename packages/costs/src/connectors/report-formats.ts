import type { ReportFormat } from '../reports/report-format.ts'
import { adyen } from './adyen.ts'
import { braintree } from './braintree.ts'
import { chase } from './chase.ts'
import { checkout } from './checkout.ts'
import { stripe } from './stripe.ts'

/** All reports that can be read, by connector. */
export const REPORT_FORMATS: readonly ReportFormat[] = [adyen, braintree, chase, checkout, stripe]

const BY_CONNECTOR: ReadonlyMap<string, ReportFormat> = new Map(REPORT_FORMATS.map((format) => [format.connector, format]))

/** The report of a connector, by its name in any case; undefined for one without. */
export const reportFormatOf = (connector: string): ReportFormat | undefined => BY_CONNECTOR.get(connector.toLowerCase())
