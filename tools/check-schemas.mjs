// Holds the schemas against the rules of docs/adr/0011 and CONTRIBUTING.md, and prints each breach.
import { basename } from 'node:path'
import avro from 'avsc'
import { inlineSharedTypes, loadEventSchemas, loadInboundSchemas, loadSharedFiles } from './schemas.mjs'

const PRIMITIVES = new Set(['string', 'boolean', 'int', 'long', 'float', 'double', 'bytes'])
const NUMBERS = new Set(['int', 'long', 'float', 'double'])
const EVENT_NAME = /^[A-Z][A-Za-z]*(ed|en|Begun|Sent|Reset)(Up|Out|In)?$/
const FIELD_NAME = /^[a-z][A-Za-z0-9]*$/
const KIND = /^[a-z]+(-[a-z]+)*$/
const SYMBOL = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/
/** A number says its unit in its name, or in its doc when the name is given by the interface. */
const UNIT_IN_NAME = /(Ms|Us|Seconds|Percent|Bps|Minor|Bytes|Count|Size|Factor|Ratio|Slot)$/
const UNIT_IN_DOC = /\b(0 to 1|units?|ratio|scores?|percent|milliseconds|seconds)\b/i
const KEY_FIELDS = ['merchantId', 'userId', 'accountId']

const sharedFiles = loadSharedFiles()
const events = loadEventSchemas()
const inbound = loadInboundSchemas()
const sharedTypes = new Map(sharedFiles.map(({ schema }) => [`${schema.namespace}.${schema.name}`, schema]))
const breaches = []

const isUnion = (type) => Array.isArray(type)
const isNullable = (type) => type.length === 2 && type[0] === 'null' && !isUnion(type[1])
const isTimestamp = (type) => type?.type === 'long' && type.logicalType === 'timestamp-millis'
const withoutNull = (type) => (isUnion(type) ? type[1] : type)
const isNumber = (type) => NUMBERS.has(type) || (type?.type === 'array' && NUMBERS.has(type.items))

const checkUnion = (type, field, say) => {
  if (!isNullable(type)) say('the only union is ["null", T]')
  if (field.default !== null) say('a nullable field has "default": null')
}

const checkCollection = (type, field, say) => {
  if (isUnion(field.type)) return
  if (type.type === 'array' && !(Array.isArray(field.default) && field.default.length === 0)) say('an array has "default": []')
  if (type.type === 'map' && JSON.stringify(field.default) !== '{}') say('a map has "default": {}')
}

/** An item that may be missing keeps its place in the array. */
const checkItems = (items, say) => {
  if (!isUnion(items)) return checkType(items, say)
  if (!isNullable(items)) say('the only union is ["null", T]')
  return checkType(withoutNull(items), say)
}

const checkType = (type, say) => {
  if (isUnion(type)) return say('a union stands only at the top of a field or of the items of an array')
  if (typeof type === 'string') return PRIMITIVES.has(type) || sharedTypes.has(type) || say(`unknown type ${type}`)
  if (type.type === 'record' || type.type === 'enum') return say('named types live in schemas/shared')
  if (type.type === 'array') return checkItems(type.items, say)
  if (type.type === 'map') return checkType(type.values, say)
  return checkType(type.type, say)
}

const checkNumber = (type, field, say) => {
  const namedAsTime = field.name === 'at' || field.name.endsWith('At')
  if (namedAsTime !== isTimestamp(type)) say('a time is a long with timestamp-millis, named at or …At')
  if (isNumber(type) && !UNIT_IN_NAME.test(field.name) && !UNIT_IN_DOC.test(field.doc ?? '')) say('a number says its unit')
}

const checkField = (field, sayOf) => {
  const say = (text) => sayOf(`${field.name}: ${text}`)
  const type = withoutNull(field.type)
  if (!FIELD_NAME.test(field.name)) say('a field is named in camelCase')
  if (!field.doc) say('a field has a doc')
  if (isUnion(field.type)) checkUnion(field.type, field, say)
  checkType(type, say)
  checkCollection(type, field, say)
  checkNumber(type, field, say)
}

const checkNames = ({ file, schema }, namespace, say) => {
  if (basename(file, '.avsc') !== schema.name) say('the file is named like the type')
  if (schema.namespace !== namespace) say(`the namespace is ${namespace}`)
  if (!schema.doc) say('a type has a doc')
  if (schema.type === 'enum') return
  if (new Set(schema.fields.map(({ name }) => name)).size !== schema.fields.length) say('a field name stands once')
}

const checkEnum = ({ symbols, default: fallback }, say) => {
  if (fallback === undefined || !symbols.includes(fallback)) say('an enum has a default symbol')
  for (const symbol of symbols) if (!SYMBOL.test(symbol)) say(`${symbol}: a symbol is written in SCREAMING_SNAKE`)
}

const checkShared = (entry) => {
  const say = (text) => breaches.push(`${entry.file}: ${text}`)
  checkNames(entry, 'switchyard.shared', say)
  if (entry.schema.type === 'enum') checkEnum(entry.schema, say)
  else for (const field of entry.schema.fields) checkField(field, say)
}

const checkAggregate = (schema, say) => {
  const { kind, id } = schema.aggregate ?? {}
  if (!KIND.test(kind ?? '')) return say('an event names the kind of its aggregate, in kebab-case')
  const field = schema.fields.find(({ name }) => name === id)
  if (id !== undefined && field?.type !== 'string') say(`the aggregate id ${id} is a string field that is never null`)
}

const checkEvent = (entry) => {
  const { schema, topic } = entry
  const say = (text) => breaches.push(`${entry.file}: ${text}`)
  checkNames(entry, `switchyard.${topic}`, say)
  if (schema.type !== 'record') return say('an event is a record')
  if (!EVENT_NAME.test(schema.name)) say('an event is named with a past participle')
  checkAggregate(schema, say)
  if (!schema.fields.some(({ name }) => name === 'at')) say('an event says when: at')
  checkBody(schema, say)
}

const checkBody = (schema, say) => {
  if (!KEY_FIELDS.includes(schema.fields[0]?.name) || schema.fields[0]?.type !== 'string')
    say(`the first field is the key: ${KEY_FIELDS.join(', ')}`)
  for (const field of schema.fields) checkField(field, say)
  try {
    avro.Type.forSchema(inlineSharedTypes(schema), { wrapUnions: 'never' })
  } catch (error) {
    say(`not an Avro schema: ${error.message}`)
  }
}

const checkInbound = (entry) => {
  const { schema, file } = entry
  const say = (text) => breaches.push(`${file}: ${text}`)
  checkNames(entry, 'switchyard.inbound', say)
  if (schema.type !== 'record') return say('what outsiders write is a record')
  checkBody(schema, say)
}

sharedFiles.forEach(checkShared)
events.forEach(checkEvent)
inbound.forEach(checkInbound)
for (const breach of breaches) console.error(breach)
console.log(`${sharedFiles.length} shared types, ${events.length} events, ${inbound.length} inbound: ${breaches.length} breaches`)
process.exitCode = breaches.length > 0 ? 1 : 0
