import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWhenItFails, runService } from '@switchyard/composition'
import { openKafkaLog } from '@switchyard/log-kafka'
import { parseServiceSettings } from '@switchyard/runtime'
import { learningHandle, learningLog, openRegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { costIngestionService } from './service.ts'
import { createSpool } from './spool.ts'

const run = async (): Promise<void> => {
  const settings = parseServiceSettings(process.env)
  await runService(
    costIngestionService({ spool: createSpool(settings.reports.spoolDir ?? join(tmpdir(), 'switchyard-reports')) }),
    settings,
    {
      openLog: openKafkaLog,
      openSchemaIds: openRegistrySchemaIds,
      learningLog,
      learningHandle,
      createStore: createMongoStore,
    },
  )
}

endWhenItFails(run())
