import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { FetchRequest, FetchStream } from '@switchyard/kernel'
import { createChaseSource } from './chase-source.ts'
import { createReportHosts } from './report-hosts.ts'

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const { signal } = new AbortController()
const CREDENTIAL = { client_id: 'cid', resource: 'res', private_key_pem: newKey() }

const entry = (reportIdentifier: string, changes: object = {}): object => ({
  reportIdentifier,
  reportTypeNames: ['Submission Details'],
  reportStatus: 'completed',
  reportDetails: { url: `https://api.reports-files.jpmorgan.com/api/v1/report-files/${reportIdentifier}` },
  ...changes,
})

/** A connector that answers with these documents, one after the other, and what was asked of it. */
const connectorOf = (...answers: readonly object[]) => {
  let nowMs = 1_000_000
  const asked: FetchRequest[] = []
  const left = [...answers]
  const fetchStream: FetchStream = async (request) => {
    asked.push(request)
    const bytes = (async function* () {
      yield Buffer.from(JSON.stringify(left.shift() ?? {}))
    })()
    return { kind: 'answered', status: 200, headers: [], bytes }
  }
  const source = createChaseSource({ fetchStream, assertHost: createReportHosts([]), now: () => nowMs })
  return {
    asked,
    list: async (credential: object = CREDENTIAL) => (await source.listReady?.(JSON.stringify(credential), signal)) ?? [],
    setClock: (ms: number) => {
      nowMs = ms
    },
  }
}

describe('lists of reports of Chase (cost.md 3.4)', () => {
  test('are asked for where the connector is, without any address in the credential', async () => {
    const { asked, list } = connectorOf({ access_token: 't', expires_in: 28_800 }, { summarizedReports: [entry('r1')], lastPage: true })
    expect(await list()).toEqual([{ notificationId: 'r1', reference: 'https://api.reports-files.jpmorgan.com/api/v1/report-files/r1' }])
    expect(asked.map(({ url }) => url)).toEqual([
      'https://idag2.jpmorganchase.com/adfs/oauth2/token',
      'https://api.reports.jpmorgan.com/api/v1/reports',
    ])
  })

  test('tell what is completed, of the kind that is read, with an address', async () => {
    const summarizedReports = [
      entry('r1', { reportStatus: 'COMPLETED', reportTypeNames: ['Other', 'submissionDETAILS'] }),
      entry('r2', { reportStatus: 'requested' }),
      entry('r3', { reportTypeNames: ['Settlement Details'] }),
      entry('r4', { reportDetails: null }),
      entry('r5', { reportDetails: { url: '' } }),
      entry('', {}),
    ]
    const { list } = connectorOf({ summarizedReports, lastPage: true })
    const found = await list({ ...CREDENTIAL, access_token: 'preset' })
    expect(found.map(({ notificationId }) => notificationId)).toEqual(['r1', 'https://api.reports-files.jpmorgan.com/api/v1/report-files/'])
  })

  test('are followed page by page, up to a bound', async () => {
    const page = (next: string | null, lastPage: boolean, id: string): object => ({ summarizedReports: [entry(id)], next, lastPage })
    const three = connectorOf(page('a', false, 'r1'), page('b', false, 'r2'), page('c', true, 'r3'), page('d', false, 'r4'))
    expect(await three.list({ ...CREDENTIAL, access_token: 'preset' })).toHaveLength(3)
    expect(three.asked.map(({ headers }) => new Map(headers).get('next'))).toEqual([undefined, 'a', 'b'])
    const endless = connectorOf(...Array.from({ length: 60 }, (_, index) => page(`n${index}`, false, `r${index}`)))
    expect(await endless.list({ ...CREDENTIAL, access_token: 'preset' })).toHaveLength(50)
  })

  test('are asked for with a token of the key in the credential, whoever else asked as the same client', async () => {
    const nothing = { summarizedReports: [], lastPage: true }
    const { asked, list } = connectorOf({ access_token: 'one' }, nothing, nothing, { access_token: 'two' }, nothing)
    await list()
    await list()
    await list({ ...CREDENTIAL, private_key_pem: newKey() })
    const listed = asked.filter(({ method }) => method === 'GET').map(({ headers }) => new Map(headers).get('authorization'))
    expect(listed).toEqual(['Bearer one', 'Bearer one', 'Bearer two'])
    await expect(list({ ...CREDENTIAL, private_key_pem: 'no key' })).rejects.toThrow('no private key')
  })

  test('were asked for with a token that had ended, for as long as the clock had been ahead when it was asked for', async () => {
    const nothing = { summarizedReports: [], lastPage: true }
    const { asked, list, setClock } = connectorOf({ access_token: 'one' }, nothing, { access_token: 'two' }, nothing, nothing)
    setClock(1_000_000 + 86_400_000)
    await list()
    setClock(1_000_000)
    await list()
    await list()
    const listed = asked.filter(({ method }) => method === 'GET').map(({ headers }) => new Map(headers).get('authorization'))
    expect(listed).toEqual(['Bearer one', 'Bearer two', 'Bearer two'])
  })

  test('of another form are a failure, and no empty list', async () => {
    await expect(connectorOf({ reports: [] }).list({ ...CREDENTIAL, access_token: 'preset' })).rejects.toThrow('another form')
  })
})
