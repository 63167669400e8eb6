import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { checkSampleFolder } from './sample-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-samples-'))
const file = join(folder, 'adyen_report.csv')
writeFileSync(file, 'a,b\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('samples that lie nowhere stop the start, which named a folder that is none', () => {
  for (const wrong of [join(folder, 'none'), file])
    expect(() => checkSampleFolder(wrong)).toThrow(
      expect.objectContaining({
        code: 'SETTING_INVALID',
        message: `SWITCHYARD_REPORT_SAMPLES_DIR: ${wrong} is no folder that can be read`,
      }),
    )
  for (const right of [folder, undefined]) expect(() => checkSampleFolder(right)).not.toThrow()
})
