import type { ConformanceCase } from '../conformance-case.ts'
import { get, scenario, setup } from '../requests.ts'

const caching = { showHeaders: ['cache-control', 'vary'] } as const
const short = { ...caching, show: ['openapi', 'info'] } as const
const index = setup(
  get('/openapi/v3', { capture: { url: 'paths.apis/apps/v1.serverRelativeURL' } }),
)
const document = '/openapi/v3/apis/apps/v1'

const pinned: readonly ConformanceCase[] = [
  scenario('a document with its hash may be kept', [
    index,
    get('{url}', short),
    get('{url}', { ...caching, headers: { 'if-none-match': '*' } }),
    get('{url}&other=1', short),
  ]),
  scenario('a document with another hash is elsewhere', [
    get(`${document}?hash=OTHER`, caching),
    get(`${document}?hash=OTHER`, { ...caching, headers: { 'if-none-match': '*' } }),
    get(`${document}?hash=&hash=OTHER`, short),
    { method: 'POST', path: `${document}?hash=OTHER`, ...caching },
  ]),
  scenario('a document without a hash', [
    get(document, short),
    get(document, { ...caching, headers: { 'if-none-match': '*' } }),
    get(document, { ...short, headers: { 'if-none-match': '"OTHER"' } }),
    get(document, { ...caching, headers: { 'if-none-match': '"OTHER", *' } }),
    get(`${document}/`, caching),
    get('/openapi/v3/apis/unknown/v1?hash=OTHER', caching),
  ]),
  scenario(
    'the types of a document',
    [
      'text/html',
      'application/yaml',
      'application/*',
      '*/*',
      'text/html, application/json;q=0.1',
    ].map((accept) => get(document, { ...short, headers: { accept } })),
  ),
]

const second = { show: ['swagger', 'info', 'security'] } as const

const version2: readonly ConformanceCase[] = [
  scenario('the document of version 2', [
    get('/openapi/v2', { ...second, showHeaders: ['cache-control'] }),
    get('/openapi/v2', { headers: { 'if-none-match': '*' } }),
    get('/openapi/v2', { ...second, headers: { accept: 'application/json, */*' } }),
    get('/openapi/v2', { headers: { accept: 'text/html' } }),
    { method: 'POST', path: '/openapi/v2', ...second },
  ]),
]

/** The documents of OpenAPI. */
export const openApiCases: readonly ConformanceCase[] = [...pinned, ...version2]
