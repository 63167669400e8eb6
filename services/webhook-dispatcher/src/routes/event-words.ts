import { EVENT_CLASSES, EVENT_TYPES, type EventClass, type EventType } from '@switchyard/webhooks'
import * as z from 'zod'

/** A type of event in a request. An enumeration, so that the interface's description lists them. */
export const eventType: z.ZodType<EventType, EventType> = z.enum(EVENT_TYPES, 'is not an event type')

/** A class of events in a request. */
export const eventClass: z.ZodType<EventClass, EventClass> = z.enum(EVENT_CLASSES, 'is not an event class')
