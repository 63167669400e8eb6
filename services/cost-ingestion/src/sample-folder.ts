import { readdirSync } from 'node:fs'
import { OperatingError } from '@switchyard/kernel'

/** Throws `SETTING_INVALID` when the settings name a folder for samples in which nothing can be found. */
export const checkSampleFolder = (folder: string | undefined): void => {
  if (folder === undefined) return
  try {
    readdirSync(folder)
  } catch (cause) {
    const message = `SWITCHYARD_REPORT_SAMPLES_DIR: ${folder} is no folder that can be read`
    throw new OperatingError('SETTING_INVALID', message, { retryable: false, cause })
  }
}
