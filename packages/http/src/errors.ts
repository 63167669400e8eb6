import type { RouteReply } from './route.ts'

/**
 * Codes of the platform envelope (platform.md 10.1): processing, data store or log, not found, validation and tenant,
 * access and configuration, debit routing.
 */
export type PlatformErrorCode = 'TE_00' | 'TE_01' | 'TE_02' | 'TE_03' | 'TE_04' | 'TE_05'

/** The platform envelope `{code, message, data}`; the message never carries a secret. */
export const platformError = (status: number, code: PlatformErrorCode, message: string, data: unknown = null): RouteReply => ({
  status,
  body: { code, message, data },
})

const RETRY_AFTER_SECONDS = '1'

/** 503 for what is away, or too busy, and may be asked again a moment later. */
export const unavailable = (message: string): RouteReply => ({
  ...platformError(503, 'TE_01', message),
  headers: { 'retry-after': RETRY_AFTER_SECONDS },
})
