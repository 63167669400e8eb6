import type { SessionRevoked } from '@switchyard/events'
import { accept, reject, type Slice } from '@switchyard/kernel'
import { REVOKED_SESSION_COUNT_MAX } from '../limits.ts'

/** Ends a session before its time; `expiresAt` and `at` are epoch milliseconds. */
export interface SessionsCommand {
  readonly type: 'RevokeSession'
  readonly userId: string
  /** The token's jti. */
  readonly sessionId: string
  readonly expiresAt: number
  readonly at: number
}

/** What the marks follow from; a session that runs out leaves no event. */
export type SessionsEvent = SessionRevoked

/** As many revoked sessions of this user would still be running as are kept. */
export interface SessionsRejection {
  readonly code: 'TOO_MANY_REVOKED_SESSIONS'
  readonly revokedSessionCountMax: number
}

/** A session that was revoked and would still be running. */
export interface RevokedSession {
  readonly sessionId: string
  readonly expiresAt: number
}

/** Marks of one user. A mark is dropped when its session would have ended anyway, by the time of the newest event. */
export interface SessionsState {
  readonly revoked: readonly RevokedSession[]
}

/** Revoked sessions (platform.md 3.1). Revocations commute. Key: user id. */
export const sessions: Slice<SessionsCommand, SessionsState, SessionsEvent, SessionsRejection> = {
  name: 'sessions',
  version: 1,
  folds: ['SessionRevoked'],
  conflicts: 'commute',
  initialState: { revoked: [] },

  decide: ({ userId, sessionId, expiresAt, at }, { revoked }) => {
    if (revoked.some((mark) => mark.sessionId === sessionId)) return accept()
    const running = revoked.filter((mark) => mark.expiresAt >= at)
    if (running.length >= REVOKED_SESSION_COUNT_MAX)
      return reject({ code: 'TOO_MANY_REVOKED_SESSIONS', revokedSessionCountMax: REVOKED_SESSION_COUNT_MAX })
    return accept({ type: 'SessionRevoked', data: { userId, sessionId, expiresAt, at } })
  },

  // A token is valid up to and including its end (platform.md 3), so a mark stands that long too.
  evolve: ({ revoked }, { data: { sessionId, expiresAt, at } }) => ({
    revoked: [...revoked.filter((mark) => mark.sessionId !== sessionId), { sessionId, expiresAt }].filter((mark) => mark.expiresAt >= at),
  }),
}
