import { parseArgs } from 'node:util'
import { allNames, BENCHMARKS, defaultNames, hindranceOf, LONG_NAMES, SERVER_NAMES } from './benchmarks.mjs'
import { FULL_SIZES, SMOKE_SIZES } from './sizes.mjs'

/** Those whose runs take long are repeated at most so often. */
const LONG_REPEAT_COUNT_MAX = FULL_SIZES.longRepeatCount

export const USAGE = `npm run bench -- [name...] [--seconds N] [--repeats N] [--events N] [--start-events N] [--rows N] [--smoke]
  names: ${Object.keys(BENCHMARKS).join(', ')}
         or all: everything that this machine can run; without a name all but ${LONG_NAMES.join(', ')} (minutes each)
         and ${SERVER_NAMES.join(', ')} (which start servers; all has them with SWITCHYARD_TEST_REAL=1)
  --seconds N       length of one run over HTTP (default ${FULL_SIZES.durationMs / 1000})
  --repeats N       measured runs of each side, behind those that warm up (default ${FULL_SIZES.repeatCount}; long ones at most ${LONG_REPEAT_COUNT_MAX})
  --events N        events of the replay (default ${FULL_SIZES.eventCount})
  --start-events N  events behind the snapshot of a start (default ${FULL_SIZES.startEventCount})
  --rows N          rows of the settlement report that is read (default ${FULL_SIZES.rowCount})
  --smoke           the smallest sizes, to see that it runs: no figure is kept
  log-kafka and replay-kafka are measured where SWITCHYARD_TEST_KAFKA_BROKER names a broker`

const positive = (name, text) => {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} must be a positive number, not ${text}`)
  return value
}

const whole = (name, text) => Math.max(1, Math.round(positive(name, text)))

const namesOf = (positionals) => {
  if (positionals.length === 0) return defaultNames()
  if (positionals.includes('all')) return allNames()
  const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name))
  if (unknown !== undefined) throw new Error(`${unknown} is not a benchmark.\n${USAGE}`)
  const hindrance = positionals.map(hindranceOf).find((why) => why !== undefined)
  if (hindrance !== undefined) throw new Error(hindrance)
  return positionals
}

const sizesOf = ({ seconds, repeats, events, 'start-events': startEvents, rows }) => {
  const sizes = { ...FULL_SIZES }
  if (seconds !== undefined) sizes.durationMs = positive('seconds', seconds) * 1000
  if (repeats !== undefined) sizes.repeatCount = whole('repeats', repeats)
  sizes.longRepeatCount = Math.min(LONG_REPEAT_COUNT_MAX, sizes.repeatCount)
  if (events !== undefined) sizes.eventCount = whole('events', events)
  if (startEvents !== undefined) sizes.startEventCount = whole('start-events', startEvents)
  if (rows !== undefined) sizes.rowCount = whole('rows', rows)
  return sizes
}

/** What the command line asks for; throws what to tell whoever typed it. */
export const parseOptions = () => {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: text, repeats: text, events: text, 'start-events': text, rows: text, smoke: flag, help: flag },
  })
  return {
    isHelp: values.help,
    isSmoke: values.smoke,
    names: namesOf(positionals),
    sizes: values.smoke ? SMOKE_SIZES : sizesOf(values),
  }
}
