import type { CredentialDirectory } from '@switchyard/access'
import type { LinkTokens, Passwords, SessionTokens } from '@switchyard/http'
import type { NewId } from '@switchyard/kernel'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'
import type { BackgroundTasks } from './background-tasks.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Settings of a deployment that concern people. */
export interface AccessSettings {
  /** Whether only the deployment's admin signs people up. */
  readonly signupRequiresAdminSecret: boolean
  /** Whether whoever signs up has to prove the address before logging in. */
  readonly emailVerification: boolean
  /** Whether a hand-off code without permissions opens a session without any, instead of one with all. */
  readonly requireExplicitPermissions: boolean
  /** Proxies of one's own in front of the service: `x-forwarded-for` is believed that far. */
  readonly trustedProxyCount: number
}

/** Whose payments end, and why. */
interface EndedHistory {
  readonly merchantId: string
  readonly cause: 'CLOSED' | 'REGISTERED_AGAIN'
  /** The registration of the id that counts from then on. */
  readonly merchantRegistrationCount: number
  readonly requestId: string
}

/** What the routes of merchants, keys and people need. */
export interface AccessRouteDeps {
  readonly handle: HandleCommand
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex' | 'readIndexOfAll'>
  readonly directory: CredentialDirectory
  readonly tokens: Pick<SessionTokens, 'issue'>
  /** Secrets of mailed links. */
  readonly links: LinkTokens
  readonly passwords: Passwords
  readonly throttle: SignInThrottle
  /** For work whose duration must not show in an answer. */
  readonly background: Pick<BackgroundTasks, 'run'>
  /** Ends what earlier registrations of a merchant id left behind in its payments; resolves when that is durable. */
  readonly endHistory: (ending: EndedHistory) => Promise<void>
  /** When the merchant's API keys were used last, as far as it is projected; rejects with an operating error. */
  readonly readKeyUses: (merchantId: string) => Promise<readonly { readonly keyId: string; readonly lastUsedAt: number }[]>
  readonly newId: NewId
  /** From a cryptographic source. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly settings: AccessSettings
}
