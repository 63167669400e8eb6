// A settlement report of Adyen's form, as large as asked for, the same every time.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const COLUMNS =
  'Record Type,Psp Reference,Payment Method Variant,Global Card Brand,Issuer Country,Settlement Currency,Payable (SC),Commission (SC),Markup (SC),Scheme Fees (SC),Interchange (SC),ICSF details,Booking Date,Unique Terminal ID,Card Number'
const VARIANTS = ['visastandarddebit', 'visastandardcredit', 'mcstandarddebit', 'mcstandardcredit', 'visa_applepay', 'mc_googlepay']
const COUNTRIES = 'NL DE FR US GB ES IT SE'.split(' ')
const CATEGORIES = ['Consumer Debit', 'Consumer Credit', 'Commercial']
const BIN_COUNT = 2_000
const DAY_COUNT = 28
const BLOCK_ROW_COUNT = 5_000

/** Numbers that look random and are the same in every run. */
const createRandom = () => {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const lineOf = (index, random) => {
  const variant = VARIANTS[Math.floor(random() * VARIANTS.length)]
  const gross = 5 * 400 ** random()
  const interchange = gross * 0.002
  const scheme = gross * 0.001
  const net = gross - interchange - scheme - 0.1
  const category = CATEGORIES[Math.floor(random() * CATEGORIES.length)]
  const day = String(1 + Math.floor(random() * DAY_COUNT)).padStart(2, '0')
  const bin = 400_000 + Math.floor(random() * BIN_COUNT)
  const parts = `${net.toFixed(2)},0.00,0.10,${scheme.toFixed(4)},${interchange.toFixed(4)}`
  const details = `"[{""t"":""ic"",""n"":""${category}"",""bps"":20}]"`
  const country = COUNTRIES[Math.floor(random() * COUNTRIES.length)]
  return `Settled,PSP${1e15 + index},${variant},${variant.startsWith('visa') ? 'visa' : 'mc'},${country},EUR,${parts},${details},2026-01-${day} 10:00:00,,${bin}******1111`
}

/** A report of so many rows, piece by piece. */
export function* reportOf(rowCount) {
  const random = createRandom()
  yield `${COLUMNS}\n`
  for (let from = 0; from < rowCount; from += BLOCK_ROW_COUNT) {
    const lines = Array.from({ length: Math.min(BLOCK_ROW_COUNT, rowCount - from) }, (_, index) => lineOf(from + index, random))
    yield `${lines.join('\n')}\n`
  }
}

/** Writes a report of so many rows; gives its size in bytes. */
export const writeReport = async (path, rowCount) => {
  const file = createWriteStream(path)
  for (const piece of reportOf(rowCount)) if (!file.write(piece)) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
  return file.bytesWritten
}
