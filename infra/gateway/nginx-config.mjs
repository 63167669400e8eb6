// The configuration of the cluster's gateway (nginx), from the route table and the limits of the services behind it.
import {
  CONNECTION_COUNT_MAX,
  DISCARDED_BODY_BYTES_MAX,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  JSON_BODY_BYTES_MAX,
  KEEP_ALIVE_TIMEOUT_MS,
  RAW_JSON_BODY_BYTES_MAX,
  REQUEST_TIMEOUT_MS,
  STREAMED_BODY_BYTES_MAX,
} from '@switchyard/http'
import { ERROR_ANSWERS } from './error-answers.mjs'

const BANNER = '# Generated from the route table by `npm run generate:gateway`. Do not edit.'
/** Every service of a cluster listens here inside its network. */
const SERVICE_PORT = 8080
/** Answers what no route names, and no service has to itself: such a path is answered by each of them in the same way. */
const SERVICE_OF_THE_REST = 'query-api'
/** Idle connections to a service that each worker keeps. */
const IDLE_CONNECTION_COUNT_MAX = 64
/** Listeners, logs and bodies that do not fit into memory, beside the connections of a worker. */
const OWN_FILE_COUNT = 1_000
const REQUESTS_PER_CONNECTION_MAX = 100_000
const CONNECT_TIMEOUT_MS = 2_000
const SHUTDOWN_TIMEOUT_MS = 10_000
/** How long a name of a service is believed: a replica that moved is found again after it. */
const NAME_LIFETIME_MS = 5_000
/** The gateway lets an idle connection go before the service does: a request is never sent into one that is being closed. */
const IDLE_TIMEOUT_MS = KEEP_ALIVE_TIMEOUT_MS - 12_000

const seconds = (ms) => `${ms / 1_000}s`
const kib = (bytes) => `${Math.ceil(bytes / 1_024)}k`
/** A service answers a body that is too large itself, and reads so much of it that its answer is seen: what is larger is refused here. */
const passedOn = (bytes) => kib(Math.max(bytes, DISCARDED_BODY_BYTES_MAX))

const isPattern = (path) => path.includes('/:')

/** A path of the route table in nginx's words: itself, or a regular expression in which a parameter is one segment. */
const keyOf = (path) => {
  if (!/^(\/:?[A-Za-z0-9_-]+)+$/.test(path)) throw new Error(`${path}: the gateway knows no such pattern`)
  return isPattern(path) ? `"~^${path.replaceAll(/:[^/]+/g, '[^/]+')}$"` : path
}

/** Static segments go before parameters, as in the services. */
const specificityOf = (path) => path.replaceAll(/[^/]+/g, (segment) => (segment.startsWith(':') ? '1' : '0'))

/** Each path and the service that answers it; a path of two services can't be told apart by the gateway. */
const placesOf = (table) => {
  const places = new Map()
  for (const { service, specs } of table) {
    for (const { path } of specs) {
      const other = places.get(path) ?? service
      if (other !== service) throw new Error(`${path} is answered by ${other} and by ${service}: a path belongs to one service`)
      places.set(path, service)
    }
  }
  return [...places].toSorted(([a], [b]) => (`${specificityOf(a)} ${a}` < `${specificityOf(b)} ${b}` ? -1 : 1))
}

const segmentsOf = (path) => path.split('/').slice(1)

/** First segments below which one service has all paths, and that service: what is unknown there is refused in its words. */
const placesBelow = (places) => {
  const owners = new Map()
  for (const [path, service] of places) {
    const [first, ...below] = segmentsOf(path)
    if (below.length > 0) owners.set(first, (owners.get(first) ?? new Set()).add(service))
  }
  return [...owners].flatMap(([first, [owner, ...others]]) => (others.length > 0 || owner === SERVICE_OF_THE_REST ? [] : [[first, owner]]))
}

/** The rows of nginx's `map`: of its regular expressions the first one that fits counts. */
const serviceRows = (places) =>
  [
    ...places.map(([path, service]) => `${keyOf(path)} ${service}`),
    ...placesBelow(places).map(([first, service]) => `"~^/${first}/" ${service}`),
  ].map((row) => `    ${row};`)

const streamedRows = (table) => table.flatMap(({ specs }) => specs.filter(({ body }) => body === 'stream'))

const upstream = ({ service }) => `
  upstream ${service} {
    zone ${service} 64k;
    server ${service}:${SERVICE_PORT} resolve max_fails=3 fail_timeout=5s;
    keepalive ${IDLE_CONNECTION_COUNT_MAX};
    keepalive_timeout ${seconds(IDLE_TIMEOUT_MS)};
    keepalive_requests ${REQUESTS_PER_CONNECTION_MAX};
  }`

/** A path as a location finds it: exactly, or by a regular expression. */
const locationOf = (path) => (isPattern(path) ? `~ ${keyOf(path).replaceAll(/^"~|"$/g, '')}` : `= ${path}`)

const streamedLocation = ({ path, streamBytesMax = STREAMED_BODY_BYTES_MAX }) => `
    # Read and answered piece by piece: nothing of it waits here.
    location ${locationOf(path)} {
      client_max_body_size ${passedOn(streamBytesMax)};
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_pass http://$service;
    }`

const errorPage = ({ name, nginxStatuses, status }) => `    error_page ${nginxStatuses.join(' ')} =${status} /.gateway/${name};`

const errorLocation = ({ name, status, body, headers = {} }) => `
    location = /.gateway/${name} {
      internal;
      default_type application/json;
      add_header x-request-id $forwarded_request_id always;${Object.entries(headers)
        .map(([header, value]) => `\n      add_header ${header} ${value} always;`)
        .join('')}
      return ${status} '${JSON.stringify(body)}';
    }`

/** What holds for the whole process. It runs as any user, and writes below /tmp only. */
const PROCESS = `worker_processes auto;
worker_shutdown_timeout ${seconds(SHUTDOWN_TIMEOUT_MS)};
worker_rlimit_nofile ${2 * CONNECTION_COUNT_MAX + OWN_FILE_COUNT};
pid /tmp/nginx.pid;
error_log stderr warn;

events {
  # A request takes two connections: the client's and the service's.
  worker_connections ${2 * CONNECTION_COUNT_MAX};
}`

const BOUNDS = `  client_body_temp_path /tmp/client-body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;

  client_header_timeout ${seconds(HEADERS_TIMEOUT_MS)};
  client_body_timeout ${seconds(REQUEST_TIMEOUT_MS)};
  send_timeout ${seconds(REQUEST_TIMEOUT_MS)};
  keepalive_timeout ${seconds(KEEP_ALIVE_TIMEOUT_MS)};
  keepalive_requests ${REQUESTS_PER_CONNECTION_MAX};
  large_client_header_buffers 4 ${kib(HEADER_BYTES_MAX)};
  client_body_buffer_size ${kib(RAW_JSON_BODY_BYTES_MAX)};
  client_max_body_size ${passedOn(JSON_BODY_BYTES_MAX)};
  server_tokens off;
  merge_slashes off;
  map_hash_bucket_size 128;`

const LOG = `  # Failures only, without query strings: the services know the requests by their ids.
  map $status $is_failure {
    default 0;
    ~^5 1;
  }
  # An answer of the gateway itself is made by a GET inside of it.
  map $request $sent_method {
    "~^(?<verb>[A-Z]+) " $verb;
  }
  log_format failure escape=json '{"at":"$time_iso8601","request_id":"$forwarded_request_id","method":"$sent_method","path":"$request_path","status":$status,"service":"$service","upstream":"$upstream_addr","upstream_status":"$upstream_status","seconds":$request_time}';
  access_log /dev/stdout failure if=$is_failure;`

const PROXY = `    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header x-request-id $forwarded_request_id;
    proxy_set_header x-forwarded-for $proxy_add_x_forwarded_for;
    proxy_connect_timeout ${seconds(CONNECT_TIMEOUT_MS)};
    proxy_send_timeout ${seconds(REQUEST_TIMEOUT_MS)};
    proxy_read_timeout ${seconds(REQUEST_TIMEOUT_MS)};
    proxy_buffers 16 16k;
    proxy_max_temp_file_size 0;
    # What can't have reached a service goes to another replica; a command is never sent twice.
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 2;
    proxy_next_upstream_timeout ${seconds(2 * CONNECT_TIMEOUT_MS)};`

/**
 * The whole file.
 *
 * @param {import('./route-table.mjs').RouteTableRow[]} table
 */
export const nginxConfigOf = (table) => `${BANNER}
${PROCESS}

http {
${BOUNDS}

  # Docker's own name server.
  resolver 127.0.0.11 valid=${seconds(NAME_LIFETIME_MS)} ipv6=off;
${table.map(upstream).join('\n')}

  # The path as it was sent: decoding it is the service's task.
  map $request_uri $request_path {
    "~^(?<path>[^?]*)" $path;
  }
  map $request_path $service {
    default ${SERVICE_OF_THE_REST};
${serviceRows(placesOf(table)).join('\n')}
  }

  # An id that the services would not take over is replaced here, so that all log lines of a request bear the same one.
  map $http_x_request_id $forwarded_request_id {
    default $request_id;
    "~^[\\x20-\\x7e]{1,128}$" $http_x_request_id;
  }

${LOG}

  # For the health check of the container alone.
  server {
    listen 127.0.0.1:8081;
    access_log off;
    location = /health {
      return 200 'up';
    }
    location / {
      return 404;
    }
  }

  server {
    listen ${SERVICE_PORT};
    server_name switchyard;

${PROXY}

${ERROR_ANSWERS.map(errorPage).join('\n')}

    location / {
      proxy_pass http://$service;
    }
${streamedRows(table).map(streamedLocation).join('\n')}
${ERROR_ANSWERS.map(errorLocation).join('\n')}
  }
}
`
