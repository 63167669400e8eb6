import { randomBytes } from 'node:crypto'
import { merchants } from '@switchyard/access'
import { type Configuration, type Engines, newId, now, type Voices } from '@switchyard/composition'
import type { Hmac, SendRequest } from '@switchyard/kernel'
import { createMerchantCipher, type KeyVault, type MerchantCipherDependencies } from '@switchyard/runtime'
import type { CheckUrl } from './parts.ts'
import { createWebhookDispatcher, type WebhookDispatcher } from './webhook-dispatcher.ts'

/** What a process has for this service. */
export interface WebhookSurroundings {
  readonly engines: Engines
  readonly configuration: Configuration
  /** Where the data keys of merchants are kept, and what wraps them. */
  readonly vault: KeyVault
  /** Newest first. */
  readonly dataKeySecrets: MerchantCipherDependencies['secrets']
  readonly outbound: { readonly send: SendRequest; readonly checkUrl: CheckUrl }
  readonly hmac: Hmac
  readonly voices: Pick<Voices, 'report' | 'onFailure'>
}

/** The service in a process, alone or beside others. */
export const assembleWebhooks = (surroundings: WebhookSurroundings): WebhookDispatcher => {
  const { engines, configuration, vault, dataKeySecrets: secrets, outbound, hmac, voices } = surroundings
  const { states, handle } = configuration
  const lifeOf = (merchantId: string): number => states.stateOf(merchants, merchantId).registrationCount
  const cipher = createMerchantCipher({ vault, secrets, lifeOf })
  return createWebhookDispatcher({ ...engines, ...outbound, ...voices, states, handle, cipher, hmac, now, newId, randomBytes })
}
