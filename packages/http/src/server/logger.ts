/** Structured log; pino fits. Fields never carry a secret. */
export interface HttpLogger {
  readonly error: (fields: object, message: string) => void
}
