import { TOPICS } from '@switchyard/kernel'

/** What `switchyard help` prints. */
export const USAGE: string = `switchyard <command>

  replay --topic <${TOPICS.join('|')}> [--merchant <id>] [--since <time>] [--until <time>] [--format ndjson|records]
      prints the events of a topic: ndjson is one decoded event a line, records the bytes in base64, for readEvents
      and other languages. A time is a span back from now (90s, 15m, 2h, 7d) or a date (2026-11-21T10:00:00Z).
  lag [--format text|json]
      how far the read models are behind the log, by topic and partition.
  dead-letters list [--topic <topic>] [--limit <count>]
  dead-letters show <topic> <partition> <offset>
      records that could not be read.
  dead-letters retry
      reads them again; what can be read now takes effect in its place by a rebuild of its topic.
  verify <projection>
      recomputes a projection from the log and lists the documents that differ; exit code 1 when there are any.
  rebuild <projection> [--anew]
      builds a projection anew from the first event, beside the one that is read, and swaps them at the end of the log.
      Run it again after an interruption: it goes on where it stopped, or from the beginning with --anew.
      Exit code 1 when it is done and records of its topic could not be read: they are dead letters.

A projection is a topic (${TOPICS.join(', ')}: all read models of it) or the name of one of its collections.
Settings are those of the services: SWITCHYARD_DATA_DIR, SWITCHYARD_MONGODB_URI, SWITCHYARD_KAFKA_..., SWITCHYARD_SCHEMA_REGISTRY_...
`
