import { networkOf, variantOfPayment } from '@switchyard/costs'
import type { WeighedGateway } from '@switchyard/events'
import type { PaymentDetails, WeighedCosts } from '@switchyard/routing'
import { quoted, quotedOnce, writtenOnce } from '../routes/quoted.ts'
import { isOfCluster, shownSource } from './multi-objective-info.ts'

const brandOf = writtenOnce((network) => `"brand":${quoted(networkOf(network))},`)
const currencyOf = writtenOnce((currency) => `"ccy":${quoted(currency.toUpperCase())},`)
const issuerOf = writtenOnce((country) => `"issuer":${quoted(country.toUpperCase())},`)

/** JSON has no other numbers. */
const number = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null')
const numberOrNull = (value: number | null): string => (value === null ? 'null' : number(value))

const variantOf = ({ cardNetwork, cardProgram, cardType, paymentMethod }: PaymentDetails): string =>
  quoted(variantOfPayment({ network: cardNetwork ?? '', program: cardProgram ?? '', funding: cardType ?? '', paymentMethod }))

/** What each cost of the payment was told by, up to its fee: of clusters, and of all else. */
interface Kinds {
  readonly ofCluster: (category: string | null) => string
  readonly ofOthers: string
}

const kindsOf = (payment: PaymentDetails): Kinds => {
  const { cardNetwork, cardIssuerCountry, currency } = payment
  const brand = cardNetwork === null ? '' : brandOf(cardNetwork)
  const ccy = currencyOf(currency)
  return {
    ofOthers: `${brand}${ccy}`,
    ofCluster: (category) => {
      const issuer = cardIssuerCountry === null ? '' : issuerOf(cardIssuerCountry)
      return `${brand}"variant":${variantOf(payment)},${issuer}${ccy}${category === null ? '' : `"icCategory":${quoted(category)},`}`
    },
  }
}

/** The members that a row begins with, and that tell it in short. */
const ratesJson = (row: WeighedGateway): string =>
  `"psp":${quoted(row.gateway)},"authRate":${number(row.authRatio)},"costBps":${number(row.costBps)}`

const rowJson = (row: WeighedGateway, rates: string, kinds: Kinds, { head, chosen }: WeighedCosts['choice']): string => {
  const kind = isOfCluster(row.source) ? kinds.ofCluster(row.interchangeCategory) : kinds.ofOthers
  const model = `"costSource":"${shownSource(row.source)}","costModel":{${kind}"pctBps":${number(row.pctBps)},"fixedFee":${number(row.fixed)}}`
  return `{${rates},${model},"ev":${number(row.expectedRatio)},"isSrHead":${row.gateway === head},"isChosen":${row.gateway === chosen}}`
}

/** The text of `multiObjectiveInfo`, written without the objects in between; a property test holds the two to each other. */
export const multiObjectiveJson = ({ choice, reason }: WeighedCosts, payment: PaymentDetails): string => {
  const { ranked, head, chosen } = choice
  const result = `{"outcome":"${choice.outcome}","reason":${quotedOnce(reason)},"costSavedBps":${numberOrNull(choice.costSavedBps)}`
  const figures = `"qualifiedCount":${ranked.length},"margin":${number(choice.marginRatio)},"evGapTop2":${numberOrNull(choice.gapRatio)}`
  if (ranked.length === 0) return `${result},${figures}}`
  const kinds = kindsOf(payment)
  let rows = ''
  let headRow = ''
  let chosenRow = ''
  for (const row of ranked) {
    const rates = ratesJson(row)
    rows += `${rows === '' ? '' : ','}${rowJson(row, rates, kinds, choice)}`
    if (headRow === '' && row.gateway === head) headRow = `,"srHead":{${rates}}`
    if (chosenRow === '' && row.gateway === chosen) chosenRow = `,"chosen":{${rates}}`
  }
  return `${result},${figures},"ranked":[${rows}]${headRow}${chosenRow}}`
}
