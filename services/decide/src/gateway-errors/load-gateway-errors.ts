import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OperatingError } from '@switchyard/kernel'
import type { GatewayErrorTable } from '@switchyard/routing'
import { parseGatewayErrors } from './parse-gateway-errors.ts'

/** The table that a deployment has when it names none. */
const CURATED = fileURLToPath(new URL('../../gateway-errors.csv', import.meta.url))

/** Loads the deployment's table of gateway errors, or the curated one; throws `SETTING_INVALID` when it can't be used. */
export const loadGatewayErrors = (path: string | undefined): GatewayErrorTable => {
  let csv: string
  try {
    csv = readFileSync(path ?? CURATED, 'utf8')
  } catch (error) {
    throw new OperatingError('SETTING_INVALID', `SWITCHYARD_GATEWAY_ERRORS_FILE: ${path ?? CURATED} can't be read`, {
      retryable: false,
      cause: error,
    })
  }
  return parseGatewayErrors(csv)
}
