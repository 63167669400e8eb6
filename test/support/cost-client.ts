import { type Answer, call, eventually, type TestMerchant } from './client.ts'

/** What a test does with the costs of a merchant. */
export interface CostClient {
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body?: unknown) => Promise<Answer>
  readonly remove: (path: string) => Promise<Answer>
  /** Uploads a report and gives the id of its ingestion. */
  readonly upload: (connector: string, account: string, file: string, more?: string) => Promise<string>
  /** Waits until an ingestion has ended. */
  readonly ended: (id: string) => Promise<Answer['json']>
  /** Uploads a report and waits until it has ended. */
  readonly ingest: (connector: string, account: string, file: string, more?: string) => Promise<Answer['json']>
}

/** {@link CostClient} of a merchant; `urlOf` tells where the server is now. */
export const createCostClient = (urlOf: () => string, merchant: TestMerchant): CostClient => {
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(urlOf(), `${method} /merchant-account/${merchant.id}/${path}`, { headers: merchant.key, ...(body === undefined ? {} : { body }) })
  const upload = async (connector: string, account: string, file: string, more = ''): Promise<string> => {
    const answer = await ask('POST', `connectors/${connector}/report?account=${account}${more}`, file)
    if (answer.status !== 202) throw new Error(`the upload was answered ${answer.status} ${answer.text}`)
    return answer.json.id
  }
  const ended = async (id: string): Promise<Answer['json']> => {
    const isOver = ({ json }: Answer): boolean => ['completed', 'failed'].includes(json?.status)
    return (await eventually(`the end of the ingestion ${id}`, () => ask('GET', `cost-ingestions/${id}`), isOver)).json
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    remove: (path) => ask('DELETE', path),
    upload,
    ended,
    ingest: async (...report) => ended(await upload(...report)),
  }
}
