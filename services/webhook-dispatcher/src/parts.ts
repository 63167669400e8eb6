import { merchants } from '@switchyard/access'
import type { Hmac, NewId, Now, ReadStore, SendRequest, UrlRule } from '@switchyard/kernel'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'
import { type Endpoint, endpointOf, webhookEndpoints } from '@switchyard/webhooks'
import type { DeliveryTally } from './delivery/delivery-tally.ts'
import type { OpenEndpoint } from './delivery/opened-endpoints.ts'
import type { Journal } from './journal.ts'
import type { Answer, EndpointPlace, Origin, WebhookRefusal } from './operations.ts'
import type { SealedJson } from './sealed-json.ts'

/** What a URL is checked by, when it is configured. */
export type CheckUrl = (text: string) => { readonly accepted: true } | { readonly accepted: false; readonly rule: UrlRule }

/** What the operations work with. */
export interface Parts {
  readonly journal: Journal
  /** The read models, in the generation that is current. */
  readonly store: ReadStore
  readonly states: Pick<StreamStates, 'stateOf' | 'readIndex' | 'onChange'>
  readonly handle: HandleCommand
  readonly sealed: SealedJson
  readonly openEndpoint: OpenEndpoint
  readonly send: SendRequest
  readonly tally: DeliveryTally
  readonly checkUrl: CheckUrl
  readonly hmac: Hmac
  readonly now: Now
  readonly newId: NewId
  /** From a cryptographic source. */
  readonly randomBytes: (count: number) => Uint8Array
  /** Aborted when nothing that is under way is waited for any more. */
  readonly ending: AbortSignal
  /** What operators should hear of. */
  readonly report: { readonly info: (text: string) => void; readonly failed: (text: string, error: unknown) => void }
}

/** Ids of events: time-ordered, 36 characters (webhooks.md 2). */
export const newEventId = ({ newId }: Pick<Parts, 'newId'>): string => `evt_${newId().replaceAll('-', '')}`

/** An operation that is not done. */
export const refused = (refusal: WebhookRefusal, detail?: string): Answer<never> =>
  detail === undefined ? { ok: false, refusal } : { ok: false, refusal, detail }

/** The endpoint of a profile as it is configured now. */
export const currentEndpoint = ({ states }: Pick<Parts, 'states'>, merchantId: string, profileId: string): Endpoint | undefined =>
  endpointOf(states.stateOf(webhookEndpoints, merchantId), profileId)

/** Whether somebody asks with a credential of one merchant; the admin and the deployment's own inbox act for the one that has the id by then. */
const isOfMerchant = ({ actor }: Origin): boolean => actor.startsWith('key:') || actor.startsWith('user:')

/**
 * Waits until the merchant is as it stands in the log, and gives which one of its id is meant: what is sealed for it is of use to no other.
 * That is the one whose credential was let in, before the wait.
 */
export const readLife = async (
  { states }: Pick<Parts, 'states'>,
  { merchantId, origin }: Pick<EndpointPlace, 'merchantId' | 'origin'>,
): Promise<number> => {
  const lifeOf = (): number => states.stateOf(merchants, merchantId).registrationCount
  const before = lifeOf()
  await states.readIndex(merchantId)
  return isOfMerchant(origin) && before > 0 ? before : lifeOf()
}
