import { describe, expect, test } from '@jest/globals'
import { createLogger } from './logger.ts'

describe('logger', () => {
  test('secrets are replaced wherever they usually stand', () => {
    const lines: string[] = []
    const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
    logger.info({ authorization: 'S1', request: { headers: { 'x-api-key': 'S2', 'x-admin-secret': 'S3' } } }, 'request')
    logger.info({ body: { password: 'S4', api_key: 'S5', token: 'S6', merchant: 'm_1' } }, 'body')
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toMatch(/S\d/)
    expect(lines[1]).toContain('m_1')
  })

  test('what is below the level is not written', () => {
    const lines: string[] = []
    createLogger({ logLevel: 'warn' }, { write: (line) => void lines.push(line) }).info('quiet')
    expect(lines).toEqual([])
  })
})
