import { createAdyenSource } from './adyen-source.ts'
import { createChaseSource } from './chase-source.ts'
import { createCheckoutSource } from './checkout-source.ts'
import type { ReportSource, SourceTools } from './report-source.ts'

/** All connectors whose reports are fetched; undefined for those that are only uploaded. */
export const createReportSources = (tools: SourceTools): ((connector: string) => ReportSource | undefined) => {
  const sources = [createAdyenSource(tools), createCheckoutSource(tools), createChaseSource(tools)]
  const byConnector = new Map(sources.map((source) => [source.connector, source]))
  return (connector) => byConnector.get(connector)
}
