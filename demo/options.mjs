import { parseArgs } from 'node:util'
import { serverAddress } from './server-address.mjs'

/** The largest run: its ledger fits into a few megabytes. */
const PAYMENT_COUNT_MAX = 1_000_000
const PAYMENT_COUNT_MIN = 1_000

export const USAGE = `npm run demo -- [options]
  --url URL          drive a running server, for example http://127.0.0.1:8080 (default: start one and stop it afterwards)
  --payments N       payments to simulate, ${PAYMENT_COUNT_MIN} to ${PAYMENT_COUNT_MAX} (default 20000)
  --seed S           the same seed gives the same market (default 1)
  --concurrency N    payments under way at once, 1 to 256 (default 32)
  --out FILE         where the picture goes (default demo-output/switchyard-demo.svg)
  --help
The admin secret of the server is read from SWITCHYARD_ADMIN_SECRET (default test_admin).`

const integer = (name, text, { min, max }) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${text}`)
  return value
}

/**
 * Reads the command line; throws with a sentence for the user.
 *
 * @param {readonly string[]} args
 */
export const parseOptions = (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      payments: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      concurrency: { type: 'string', default: '32' },
      out: { type: 'string', default: 'demo-output/switchyard-demo.svg' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    url: serverAddress(values.url),
    paymentCount: integer('payments', values.payments, { min: PAYMENT_COUNT_MIN, max: PAYMENT_COUNT_MAX }),
    seed: integer('seed', values.seed, { min: 0, max: 2 ** 31 }),
    concurrency: integer('concurrency', values.concurrency, { min: 1, max: 256 }),
    out: values.out,
    isHelp: values.help,
  }
}
