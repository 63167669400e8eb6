// What the gateway answers by itself: in the envelope of the services, with their words where they have some.

/** Which of nginx's own statuses, the status and body that clients get, and further headers. */
export const ERROR_ANSWERS = [
  {
    name: 'malformed',
    nginxStatuses: [400],
    status: 400,
    body: { code: 'TE_03', message: 'Malformed HTTP request', data: null },
  },
  { name: 'too-slow', nginxStatuses: [408], status: 408, body: { code: 'TE_03', message: 'Request timeout', data: null } },
  {
    name: 'too-large',
    nginxStatuses: [413],
    status: 413,
    body: { code: 'TE_03', message: 'Failed to buffer the request body: length limit exceeded', data: null },
  },
  {
    name: 'headers-too-large',
    // 494 is nginx's own number for headers, 414 that of a request line; the services count both as headers.
    nginxStatuses: [414, 494],
    status: 431,
    body: { code: 'TE_03', message: 'Request header fields too large', data: null },
  },
  {
    name: 'unavailable',
    nginxStatuses: [500, 502, 503, 504],
    status: 503,
    headers: { 'retry-after': '1' },
    body: {
      code: 'TE_01',
      message: 'The service cannot be reached; what was asked may or may not have been recorded. Read it back before trying again',
      data: null,
    },
  },
]
