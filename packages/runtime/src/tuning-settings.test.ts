import { describe, expect, test } from '@jest/globals'
import { parseSettings } from './settings.ts'

const PREFIX = 'SWITCHYARD_SR_AUTO_CALIBRATION__'

describe('settings of the self-tuning', () => {
  test('are those of the interface when nothing is said', () => {
    expect(parseSettings({}).tuning).toEqual({
      intervalMs: 900_000,
      rules: {
        lookbackMs: 3_600_000,
        horizonMs: 3_600_000,
        paymentCountMin: 100,
        bucketSizeMin: 100,
        bucketSizeMax: 2_000,
        hedgingPercentMax: 30,
      },
    })
  })

  test.each([
    ['the section', { [`${PREFIX}INTERVAL_SECS`]: '60' }, 60_000],
    ['the short name', { SR_AUTO_CALIBRATION_INTERVAL_SECS: '30' }, 30_000],
    ['both, the section counts', { [`${PREFIX}INTERVAL_SECS`]: '60', SR_AUTO_CALIBRATION_INTERVAL_SECS: '30' }, 60_000],
    ['zero is as if it was not set', { [`${PREFIX}INTERVAL_SECS`]: '0', SR_AUTO_CALIBRATION_INTERVAL_SECS: '-5' }, 900_000],
  ])('the interval by %s', (_, env, intervalMs) => {
    expect(parseSettings(env).tuning.intervalMs).toBe(intervalMs)
  })

  test('the horizon is the time looked back on unless it is set', () => {
    expect(parseSettings({ [`${PREFIX}LOOKBACK_SECS`]: '1800' }).tuning.rules).toMatchObject({
      lookbackMs: 1_800_000,
      horizonMs: 1_800_000,
    })
    const both = { [`${PREFIX}LOOKBACK_SECS`]: '1800', [`${PREFIX}REACTION_HORIZON_SECS`]: '600' }
    expect(parseSettings(both).tuning.rules).toMatchObject({ lookbackMs: 1_800_000, horizonMs: 600_000 })
  })

  test.each([
    [`${PREFIX}INTERVAL_SECS`, 'soon', 'must be a whole number'],
    [`${PREFIX}MAX_HEDGING_PERCENT`, '101', 'must be at most 100'],
    [`${PREFIX}MIN_BUCKET_SIZE`, '3000', `must not be above ${PREFIX}MAX_BUCKET_SIZE`],
    ['SR_AUTO_CALIBRATION_INTERVAL_SECS', 'x', 'must be a whole number'],
  ])('%s=%s is refused', (name, value, problem) => {
    expect(() => parseSettings({ [name]: value })).toThrow(`${name}: ${problem}`)
  })

  test('a largest window below the smallest is told with both names, whichever was set, and their defaults', () => {
    const problem = `${PREFIX}MIN_BUCKET_SIZE: must not be above ${PREFIX}MAX_BUCKET_SIZE (100 and 2000 where they are not set)`
    expect(() => parseSettings({ [`${PREFIX}MAX_BUCKET_SIZE`]: '50' })).toThrow(problem)
  })
})
