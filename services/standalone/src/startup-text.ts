/** What the start-up text tells of. */
export interface StartupFacts {
  readonly url: string
  readonly dataRoot: string
  readonly isDefaultAdminSecret: boolean
}

/** What a person sees once the service listens: where it is, where its data lies, one call to try. A secret that was set is never shown. */
export const startupText = ({ url, dataRoot, isDefaultAdminSecret }: StartupFacts): string => {
  const secret = isDefaultAdminSecret ? 'test_admin' : '$SWITCHYARD_ADMIN_SECRET'
  const warning = isDefaultAdminSecret
    ? ['Warning: the admin secret is the default "test_admin"; set SWITCHYARD_ADMIN_SECRET before anybody else can reach this port.']
    : []
  return [
    `Switchyard listens on ${url}`,
    `Data: ${dataRoot}`,
    ...warning,
    `Try:  curl -s ${url}/merchant-account/create -H "x-admin-secret: ${secret}" -H "content-type: application/json" -d '{"merchant_id":"m_first"}'`,
    '',
  ].join('\n')
}
