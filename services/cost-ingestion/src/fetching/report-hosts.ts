import { FetchFailed } from './fetch-json.ts'

/** Where the reports of connectors lie, and all names below these. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  adyen: ['adyen.com', 'adyenpayments.com'],
  checkout: ['checkout.com'],
  chase: ['chase.com', 'jpmorgan.com', 'jpmorganchase.com', 'jpmchase.com', 'jpmchase.net'],
}

/** Throws {@link FetchFailed} when credentials would be sent to somebody else than the connector (cost.md 3.2). */
export type AssertReportHost = (connector: string, address: string) => void

/** {@link AssertReportHost} with the hosts that a deployment adds. */
export const createReportHosts =
  (added: readonly string[]): AssertReportHost =>
  (connector, address) => {
    const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase().replace(/\.$/, '') : ''
    const known = [...(HOSTS[connector] ?? []), ...added]
    if (!known.some((name) => host === name || host.endsWith(`.${name}`)))
      throw new FetchFailed('the report lies on a host that is none of its connector; SWITCHYARD_REPORT_HOSTS adds hosts', 'always')
  }
