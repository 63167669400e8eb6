/** Settings that let webhooks go to receivers of tests. */
export const RECEIVERS_ALLOWED: Readonly<Record<string, string>> = {
  SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true',
}
