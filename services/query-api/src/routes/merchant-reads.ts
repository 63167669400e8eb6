import { type Identity, platformError, type RouteReply, type RouteRequest, unavailable } from '@switchyard/http'
import { isOperatingError } from '@switchyard/kernel'
import { InvalidQuery } from './analytics-query.ts'

/** The merchant is always that of the credential, never a parameter (analytics.md 1.2). */
export const merchantOf = (identity: Identity): string | undefined =>
  identity.kind === 'key' || identity.kind === 'user' ? identity.merchantId : undefined

const failure = (error: unknown): RouteReply => {
  if (error instanceof InvalidQuery) return platformError(400, 'TE_03', `Failed to deserialize query string: ${error.message}`)
  if (!isOperatingError(error)) throw error
  const reply = error.retryable
    ? unavailable('Failed while connecting to database')
    : platformError(500, 'TE_01', 'failed while retrieving stored data')
  return { ...reply, cause: error }
}

/** Answers a read; failures of the store and unreadable queries have their statuses. */
export const answerQuery = async (read: () => Promise<RouteReply>): Promise<RouteReply> => {
  try {
    return await read()
  } catch (error) {
    return failure(error)
  }
}

/** Answers a read of the caller's own merchant. */
export const answerRead = async ({ identity }: RouteRequest, read: (merchantId: string) => Promise<RouteReply>): Promise<RouteReply> => {
  const merchantId = merchantOf(identity)
  if (merchantId === undefined) return platformError(401, 'TE_03', 'Analytics access requires JWT or API key authentication')
  return await answerQuery(() => read(merchantId))
}
