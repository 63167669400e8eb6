import { type Answer, call, decisionRequest, type TestMerchant } from './client.ts'

export const NETWORK = 'NTW_BASED_ROUTING'
export const HYBRID = 'NTW_SR_HYBRID_ROUTING'
/** The networks that the dashboard's explorer starts with. */
export const DASHBOARD_NETWORKS: readonly string[] = ['VISA', 'NYCE', 'PULSE', 'STAR']

/** A BIN table: a regulated card on two networks under 457173, a credit card under 930000. */
export const BINS = `card_bin_min,card_bin_max,card_network,issuer_country,card_type,is_regulated,regulated_name,is_prepaid,pan_or_token
4571730000000000000,4571739999999999999,VISA,US,debit,true,,false,pan
4571730000000000000,4571739999999999999,NYCE,US,debit,true,,false,pan
9300000000000000000,9300009999999999999,MASTERCARD,US,credit,true,,false,pan
`

/** Metadata of a payment with a card of an issuer that is not regulated. */
export const debitMetadata = (networks: readonly string[], card: object = {}, document: object = {}): string =>
  JSON.stringify({
    merchant_category_code: 'merchant_category_code_0001',
    acquirer_country: 'US',
    co_badged_card_data: {
      co_badged_card_networks: networks,
      issuer_country: 'US',
      is_regulated: false,
      regulated_name: null,
      card_type: 'debit',
      ...card,
    },
    ...document,
  })

/** Networks as answers list them. */
export const networksInfo = (...rows: readonly (readonly [string, number])[]): readonly object[] =>
  rows.map(([network, saving_percentage]) => ({ network, saving_percentage }))

/** What a decision is asked with beside its strategy. */
export interface DebitPayment {
  readonly payment?: object
  readonly change?: object
  readonly paymentId?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Debit payments of one merchant, who may change from test to test. */
export const debitClient = (url: () => string, merchant: () => TestMerchant) => ({
  setFlag: (enabled: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    call(url(), `POST /merchant-account/${merchant().id}/debit-routing`, { body: { enabled }, headers: { ...merchant().key, ...headers } }),
  decide: (rankingAlgorithm: string, { payment = {}, change = {}, paymentId = `p_${Math.random()}`, headers = {} }: DebitPayment = {}) =>
    call(url(), 'POST /decide-gateway', {
      body: decisionRequest(
        merchant().id,
        paymentId,
        { rankingAlgorithm, eligibleGatewayList: ['alpha', 'beta'], ...change },
        {
          amount: 1000,
          currency: 'USD',
          country: 'US',
          paymentMethod: 'DEBIT',
          cardType: 'DEBIT',
          cardIsin: null,
          metadata: debitMetadata(DASHBOARD_NETWORKS),
          ...payment,
        },
      ),
      headers: { ...merchant().key, ...headers },
    }),
})
