import { parseArgs } from 'node:util'
import { serverAddress } from '../server-address.mjs'

const PAYMENTS_MIN = 5_000
const PAYMENTS_MAX = 10_000_000
const DECISIONS_MAX = 100_000

export const USAGE = `npm run demo:costs -- [options]
  --url URL          use a running server, for example http://127.0.0.1:8080 (default: start one and stop it afterwards)
  --payments N       settled payments in the report of each connector, ${PAYMENTS_MIN} to ${PAYMENTS_MAX} (default 40000)
  --decisions N      payments that are decided, half of them weighing cost, up to ${DECISIONS_MAX} (default 4000)
  --seed S           the same seed gives the same tariffs and payments (default 1)
  --out FILE         where the picture goes (default demo-output/costs-demo.svg)
  --help
The admin secret of the server is read from SWITCHYARD_ADMIN_SECRET (default test_admin).`

const integer = (name, text, min, max) => {
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
export const parseCostOptions = (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      payments: { type: 'string', default: '40000' },
      decisions: { type: 'string', default: '4000' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: 'demo-output/costs-demo.svg' },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    url: serverAddress(values.url),
    paymentCount: integer('payments', values.payments, PAYMENTS_MIN, PAYMENTS_MAX),
    decisionCount: integer('decisions', values.decisions, 0, DECISIONS_MAX),
    seed: integer('seed', values.seed, 0, 2 ** 31),
    out: values.out,
    isHelp: values.help,
  }
}
