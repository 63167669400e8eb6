import type { SessionRevoked, SessionStarted } from '@switchyard/events'
import { accept, assertNever, reject, type Slice } from '@switchyard/kernel'
import { REVOKED_SESSION_COUNT_MAX } from '../limits.ts'

/** Begins a session, or ends one before its time; `expiresAt` and `at` are epoch milliseconds. */
export type SessionsCommand =
  | { readonly type: 'StartSession'; readonly userId: string; readonly merchantId: string | null; readonly at: number }
  | {
      readonly type: 'RevokeSession'
      readonly userId: string
      /** The token's jti. */
      readonly sessionId: string
      readonly expiresAt: number
      readonly at: number
    }

/** What the marks follow from, and that somebody logged in; a session that runs out leaves no event. */
export type SessionsEvent = SessionStarted | SessionRevoked

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
  version: 2,
  folds: ['SessionStarted', 'SessionRevoked'],
  conflicts: 'commute',
  initialState: { revoked: [] },

  decide: (command, { revoked }) => {
    const { userId, at } = command
    if (command.type === 'StartSession') return accept({ type: 'SessionStarted', data: { userId, merchantId: command.merchantId, at } })
    const { sessionId, expiresAt } = command
    if (revoked.some((mark) => mark.sessionId === sessionId)) return accept()
    const running = revoked.filter((mark) => mark.expiresAt >= at)
    if (running.length >= REVOKED_SESSION_COUNT_MAX)
      return reject({ code: 'TOO_MANY_REVOKED_SESSIONS', revokedSessionCountMax: REVOKED_SESSION_COUNT_MAX })
    return accept({ type: 'SessionRevoked', data: { userId, sessionId, expiresAt, at } })
  },

  // A token is valid up to and including its end (platform.md 3), so a mark stands that long too.
  evolve: (state, event) => {
    switch (event.type) {
      case 'SessionStarted':
        return state
      case 'SessionRevoked': {
        const { sessionId, expiresAt, at } = event.data
        const others = state.revoked.filter((mark) => mark.sessionId !== sessionId)
        return { revoked: [...others, { sessionId, expiresAt }].filter((mark) => mark.expiresAt >= at) }
      }
      default:
        return assertNever(event)
    }
  },
}
