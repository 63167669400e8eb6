// `npm run demo:webhooks`: a server, three receivers of which two are in trouble for a while, and a live table of the deliveries.
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram, say } from '../run-demo.mjs'
import { startStandalone } from '../standalone.mjs'
import { startReceivers } from './receivers.mjs'
import { deliveriesTable } from './table.mjs'
import { createWebhookMerchant } from './webhook-merchant.mjs'

const EVENT_COUNT = 60
const EVENT_INTERVAL_MS = 150
const REFRESH_MS = 250
/** Where nobody can see the table move it is printed less often. */
const PRINT_EVERY_MS = 5_000
/** By then the receivers have recovered and every retry has gone out. */
const END_AFTER_MS = 90_000
const LOCAL_RECEIVERS = { SWITCHYARD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SWITCHYARD_WEBHOOK_ALLOW_HTTP: 'true' }

const isLive = process.stdout.isTTY === true

const submitAll = async (merchant, profiles) => {
  for (let index = 0; index < EVENT_COUNT; index++) {
    await merchant.submit(profiles[index % profiles.length], index)
    await delay(EVENT_INTERVAL_MS)
  }
}

/** Draws the table over itself, or now and then where nobody can see it move. */
const createScreen = () => {
  let drawnLines = 0
  return (text) => {
    if (isLive && drawnLines > 0) process.stdout.write(`\u001B[${drawnLines}A\u001B[0J`)
    say(text)
    drawnLines = text.split('\n').length
  }
}

const watch = async (merchant, receivers, submitting) => {
  const draw = createScreen()
  const startedMs = performance.now()
  let isSubmitted = false
  let printAtMs = PRINT_EVERY_MS
  submitting.then(() => {
    isSubmitted = true
  })
  for (;;) {
    const rows = await merchant.deliveries()
    const isOver = isSubmitted && rows.every(({ isDelivered }) => isDelivered === true)
    const passedMs = performance.now() - startedMs
    const text = deliveriesTable(rows, receivers.states(), passedMs / 1_000)
    const isPrinted = passedMs >= printAtMs
    if (isPrinted) printAtMs += PRINT_EVERY_MS
    if (isLive || isPrinted || isOver) draw(text)
    if (isOver) return
    if (passedMs > END_AFTER_MS) throw new Error(`not everything was delivered within ${END_AFTER_MS / 1_000} s\n${text}`)
    await delay(REFRESH_MS)
  }
}

const main = async () => {
  say('Starting a server and three receivers: one is well, one fails for 6 s, one hangs for 8 s ...')
  const receivers = await startReceivers()
  const server = await startStandalone({ environment: LOCAL_RECEIVERS })
  try {
    const merchant = await createWebhookMerchant(server.url, process.env.SWITCHYARD_ADMIN_SECRET ?? 'test_admin')
    for (const { profile, url } of receivers.all) await merchant.configure(profile, url)
    receivers.start()
    const profiles = receivers.all.map(({ profile }) => profile)
    await watch(merchant, receivers, submitAll(merchant, profiles))
    const retried = await merchant.retryOne()
    say(`Sent again by hand: ${retried.event_id} (${retried.delivery_attempt}) was answered ${retried.response.status_code}.`)
    say(`Receivers saw ${receivers.faultCount()} wrong signatures.`)
  } finally {
    await server.stop()
    await receivers.stop()
  }
}

await runProgram(main)
