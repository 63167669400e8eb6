// What uploads are measured against: node:http that takes the same lines apart, parses each, and answers a line for each.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const answerLines = async (request, response) => {
  let line = 0
  let answer = []
  for await (const text of createInterface({ input: request, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1
    answer.push(`{"line":${line},"result":"${JSON.parse(text) === null ? 'refused' : 'accepted'}"}\n`)
    if (answer.length < 1_000) continue
    response.write(answer.join(''))
    answer = []
  }
  response.end(answer.join(''))
}

const server = createServer((request, response) => {
  void answerLines(request, response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
process.on('SIGTERM', () => process.exit(0))
