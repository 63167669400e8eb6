import type { CredentialDirectory } from '@switchyard/access'
import type { Passwords, SessionTokens } from '@switchyard/http'
import type { NewId } from '@switchyard/kernel'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'

/** Settings of a deployment that concern people. */
export interface AccessSettings {
  /** Addresses that `/auth/me` shows as super admins, in any case. */
  readonly superAdminEmails: readonly string[]
}

/** What the routes of merchants, keys and people need. */
export interface AccessRouteDeps {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex' | 'readIndexOfAll'>
  readonly directory: CredentialDirectory
  readonly tokens: Pick<SessionTokens, 'issue'>
  readonly passwords: Passwords
  /** Lets the scores of an earlier merchant of this id end; resolves when that is durable. */
  readonly forgetScores: (merchantId: string, requestId: string) => Promise<void>
  readonly newId: NewId
  /** From a cryptographic source. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly settings: AccessSettings
}
