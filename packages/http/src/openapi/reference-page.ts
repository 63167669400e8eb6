import type { ApiDocument } from './document.ts'
import type { ApiObject } from './refusals.ts'

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Any text as HTML text. */
const html = (text: unknown): string => String(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
h2{margin-top:2.5rem;border-bottom:1px solid #d5dce4}details{border:1px solid #d5dce4;border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer}code,pre{font:13px/1.45 ui-monospace,monospace}pre{background:#f4f6f8;padding:.8rem;overflow:auto;max-height:28rem}
.method{display:inline-block;min-width:4.2rem;font-weight:600}table{border-collapse:collapse}td{padding:.15rem 1rem .15rem 0;vertical-align:top}
p{white-space:pre-line}`

const membersOf = (part: unknown): ApiObject => (typeof part === 'object' && part !== null && !Array.isArray(part) ? { ...part } : {})
const itemsOf = (part: unknown): readonly ApiObject[] => (Array.isArray(part) ? part.map(membersOf) : [])

/** What a reference to a part of the document means. */
const resolved = (part: ApiObject, document: ApiDocument): ApiObject => {
  const { $ref: reference } = part
  if (typeof reference !== 'string') return part
  return reference
    .slice(2)
    .split('/')
    .reduce<ApiObject>((place, name) => membersOf(place[name]), { ...document })
}

const schemaBlock = (content: unknown): string =>
  Object.entries(membersOf(content))
    .map(([media, entry]) => ({ media, schema: membersOf(entry)['schema'] }))
    .map(({ media, schema }) => `<p><code>${html(media)}</code></p><pre>${html(JSON.stringify(schema, null, 2))}</pre>`)
    .join('')

const rows = (cells: readonly (readonly unknown[])[]): string =>
  `<table>${cells.map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join('')}</tr>`).join('')}</table>`

const answersBlock = (responses: unknown, document: ApiDocument): string =>
  Object.entries(membersOf(responses))
    .map(([status, response]) => {
      const { description, content } = resolved(membersOf(response), document)
      const body = status.startsWith('2') ? schemaBlock(content) : ''
      return `<p><b>${html(status)}</b> ${html(description)}</p>${body}`
    })
    .join('')

const credentialsOf = (security: unknown): string => {
  const names = itemsOf(security).flatMap((alternative) => Object.keys(alternative))
  return names.length === 0 ? 'no credential' : names.join(' or ')
}

const operationBlock = (path: string, method: string, operation: ApiObject, document: ApiDocument): string => {
  const parameters = itemsOf(operation['parameters']).map((parameter) => resolved(parameter, document))
  const named = parameters.map((one) => [one['name'], one['in'], one['required'] === true ? 'required' : '', one['description'] ?? ''])
  const { content } = membersOf(operation['requestBody'])
  return `<details id="${html(operation['operationId'])}"><summary><span class="method">${html(method.toUpperCase())}</span>
<code>${html(path)}</code> ${html(operation['summary'])}</summary><p>${html(credentialsOf(operation['security']))}</p>${rows(named)}
${content === undefined ? '' : `<h4>Body</h4>${schemaBlock(content)}`}<h4>Answers</h4>${answersBlock(operation['responses'], document)}</details>`
}

const blocksByTag = (document: ApiDocument): ReadonlyMap<string, readonly string[]> => {
  const byTag = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = Array.isArray(operation['tags']) ? operation['tags'] : ['root']
      const blocks = byTag.get(String(tag)) ?? []
      blocks.push(operationBlock(path, method, operation, document))
      byTag.set(String(tag), blocks)
    }
  }
  return byTag
}

/** The document as a page to read: no script in it, nothing loaded from elsewhere. */
export const referencePage = (document: ApiDocument): string => {
  const { title, version, description } = document.info
  const sections = [...blocksByTag(document)].map(([tag, blocks]) => `<h2>${html(tag)}</h2>${blocks.join('')}`)
  const definitions = Object.entries(membersOf(document.components['schemas']))
    .map(
      ([name, schema]) =>
        `<details><summary><code>${html(name)}</code></summary><pre>${html(JSON.stringify(schema, null, 2))}</pre></details>`,
    )
    .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head><body>
<h1>${html(title)} ${html(version)}</h1><p>${html(description)}</p><p><a href="openapi.json">openapi.json</a></p>
${sections.join('')}<h2>Shared schemas</h2>${definitions}</body></html>`
}
