import { webhookDedupe } from '../acceptance/webhook-dedupe.ts'
import { CONTENT_RETENTION_MS } from '../limits.ts'
import { webhookAttempts, webhookBodies } from './webhook-contents.ts'

/** Read models whose documents are forgotten one by one, although the log may have their events still. */
export const FORGETTING_COLLECTIONS: readonly string[] = [webhookBodies.name, webhookAttempts.name, webhookDedupe.name]

/** What is as old at `now`, epoch milliseconds, is forgotten; `at` of a document is the time of its last event. */
export const forgottenUpTo = (now: number): number => now - CONTENT_RETENTION_MS

/** Whether such a document is no longer to be expected at `now`. */
export const isForgotten = (document: object, now: number): boolean => 'at' in document && Number(document.at) <= forgottenUpTo(now)
