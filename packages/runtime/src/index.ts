export type { AppenderStatus, PaymentAppender } from './appender.ts'
export type { CommandOrigin, CommandOutcome, CommandRequest, HandleCommand } from './command-handler.ts'
export type { StateOf, StreamStates } from './stream-states.ts'
