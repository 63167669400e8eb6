import { type DestinationStream, type Logger, pino } from 'pino'
import type { Settings } from './settings.ts'

const SECRET_NAMES = [
  'authorization',
  'x-api-key',
  'x-admin-secret',
  'cookie',
  'password',
  'api_key',
  'apiKey',
  'token',
  'adminSecret',
  'jwtSecret',
]

/** Where secrets may stand: at the top, and up to three levels below it (`request.headers.authorization`). */
const REDACTED = SECRET_NAMES.flatMap((name) => ['', '*.', '*.*.', '*.*.*.'].map((path) => `${path}["${name}"]`.replace('.[', '[')))

/** The structured log of the process: JSON lines on standard output (or `destination`), secrets replaced. */
export const createLogger = (settings: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Logger => {
  const options = { level: settings.logLevel, redact: { paths: REDACTED, censor: '[redacted]' } }
  return destination === undefined ? pino(options) : pino(options, destination)
}
