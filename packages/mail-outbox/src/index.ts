export { createOutbox, OUTBOX_MAIL_COUNT_MAX } from './outbox.ts'
