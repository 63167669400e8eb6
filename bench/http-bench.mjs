import { createHttpClient } from '../demo/http-client.mjs'
import { startStandalone } from '../demo/standalone.mjs'
import { startLoad } from './load.mjs'
import { startReference } from './reference.mjs'
import { answerBytesOf, createBenchMerchant, decisionTemplate, outcomeTemplate } from './workload.mjs'

const PRIME_CONNECTION_COUNT = 20
export const ADMIN_SECRET = 'bench_admin_secret'

const SET_NOTHING = async () => {}

/**
 * Everything that a benchmark over HTTP needs: a fresh server with a merchant whose windows are not empty, its reference, the load.
 * `setUp` configures the merchant; `stop` ends all three.
 *
 * @param {{ readonly primedPaymentCount: number, readonly templateOf: (merchant: any) => any,
 *   readonly setUp?: (url: string, merchant: any) => Promise<void>, readonly environment?: Readonly<Record<string, string>> }} options
 */
export const openBench = async ({ primedPaymentCount, templateOf, setUp = SET_NOTHING, environment = {} }) => {
  const server = await startStandalone({ environment: { SWITCHYARD_ADMIN_SECRET: ADMIN_SECRET, ...environment } })
  const client = createHttpClient({ url: server.url, connectionCountMax: 1 })
  const load = startLoad()
  const port = Number(new URL(server.url).port)
  let nextNumber = primedPaymentCount

  const prime = async (merchant) => {
    const shared = { port, connectionCount: PRIME_CONNECTION_COUNT, numbers: { from: 0, poolCount: null } }
    await load.runCount(primedPaymentCount, { ...shared, request: decisionTemplate(merchant), shouldRemember: true })
    await load.runCount(primedPaymentCount, { ...shared, request: outcomeTemplate(merchant) })
  }
  try {
    const merchant = await createBenchMerchant(client, ADMIN_SECRET)
    await setUp(server.url, merchant)
    await prime(merchant)
    const template = templateOf(merchant)
    const reference = await startReference(await answerBytesOf(server.url, template))
    return {
      server,
      port,
      merchant,
      template,
      reference,
      load,
      /** Runs with a payment in every request that no run had before; gives what it sent beside its figures. */
      runFresh: async (runLoad, options) => {
        const from = nextNumber
        const result = await runLoad({ port, numbers: { from, poolCount: null }, ...options })
        nextNumber += result.sentCount
        return { ...result, from }
      },
      stop: async () => {
        load.stop()
        client.close()
        await reference.stop()
        await server.stop()
      },
    }
  } catch (error) {
    load.stop()
    client.close()
    await server.stop()
    throw error
  }
}
