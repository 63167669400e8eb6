import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

/** What the tests look at of a service. */
const service = z.object({
  image: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string(), args: z.record(z.string(), z.string()) }).optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
})

const file = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
})

export type Compose = z.infer<typeof file>

/** Puts in values as Compose does, where `${NAME}` and `${NAME:-otherwise}` are used. */
const interpolate = (text: string, given: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{([A-Z_]+)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise = '') => given[name] || otherwise)

/** The compose file as Compose reads it: anchors are merged, then variables put into texts. */
export const readCompose = (given: Readonly<Record<string, string>> = {}): unknown => {
  const putIn = (_key: unknown, value: unknown): unknown => (typeof value === 'string' ? interpolate(value, given) : value)
  return parse(readFileSync('docker-compose.yml', 'utf8'), putIn, { merge: true })
}

export const parseCompose = (raw: unknown): Compose => file.parse(raw)
