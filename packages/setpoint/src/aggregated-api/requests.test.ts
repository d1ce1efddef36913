import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { acceptedForm } from './accepted-form.ts'
import { resourceRequest } from './api-request.ts'
import { apiDeclaration } from './declare/api-declaration.ts'
import { serveResource } from './declare/serve-resource.ts'
import { WatchSelection } from './verbs/watch-selection.ts'
import { watchStart } from './verbs/watch-start.ts'

const names = { group: 'example.com', version: 'v1', spec: z.object({}) } as const
const Thing = defineResource({ ...names, kind: 'Thing' })
const Zone = defineResource({ ...names, kind: 'Zone', scope: 'Cluster' })
const functions = { get: () => undefined, list: () => [] }
const api = apiDeclaration({
  resources: [serveResource(Thing, functions), serveResource(Zone, functions)],
})

test.each([
  ['GET', '/namespaces/a/things', 'list a '],
  ['GET', '/things', 'list undefined '],
  ['GET', '/things?watch=true', 'watch undefined '],
  ['GET', '/namespaces/a/things/b', 'get a b'],
  ['GET', '/namespaces/a/things/b?watch=1', 'watch a b'],
  ['GET', '/zones/b%3Ac', 'get undefined b:c'],
  ['POST', '/namespaces/a/things', 'create a '],
  ['PUT', '/zones/b', 'update undefined b'],
  ['PATCH', '/zones/b', 'patch undefined b'],
  ['DELETE', '/zones/b', 'delete undefined b'],
  ['POST', '/things', '405'],
  ['DELETE', '/zones', '405'],
  ['HEAD', '/zones', '405'],
  ['GET', '/things/b', '404'],
  ['GET', '/namespaces/a/zones', '404'],
  ['GET', '/namespaces/a/things/b/status', '404'],
  ['GET', '/others', '404'],
  ['GET', '/zones/%zz', '400'],
])('%s %s is %s', (method, path, expected) => {
  const [place = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  const asked = () => {
    const { verb, namespace, name } = resourceRequest(api, {
      method,
      path: `/apis/example.com/v1${place}`,
      query,
    })
    return `${verb} ${namespace} ${name}`
  }
  if (/^\d/.test(expected)) {
    expect(asked).toThrow(expect.objectContaining({ code: Number(expected) }) as Error)
  } else expect(asked()).toBe(expected)
})

test.each([
  [undefined, { as: 'object' }],
  ['*/*', { as: 'object' }],
  ['application/vnd.kubernetes.protobuf,application/json', { as: 'object' }],
  ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', { as: 'table', version: 'v1' }],
  ['application/json;as=Table;v=v9;g=meta.k8s.io, application/json', { as: 'object' }],
  [
    'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata',
    { as: 'metadata', version: 'v1' },
  ],
])('the header accept: %s asks for %j', (accept, form) => {
  expect(acceptedForm(accept)).toEqual(form)
})

test.each([
  ['', 'initial'],
  ['resourceVersion=0', 'initial'],
  ['resourceVersion=7', 'after 7'],
  ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'initial'],
  [
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    'initial, bookmark',
  ],
  ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', 'changes'],
  ['sendInitialEvents=true', '400'],
  ['resourceVersionMatch=NotOlderThan', '400'],
])('a watch with %j starts with: %s', (search, expected) => {
  const start = () => {
    const { hasInitialEvents, hasInitialBookmark, resourceVersion } = watchStart(
      new URLSearchParams(search),
    )
    const first = resourceVersion === undefined ? 'changes' : `after ${resourceVersion}`
    return (hasInitialEvents ? 'initial' : first) + (hasInitialBookmark ? ', bookmark' : '')
  }
  if (expected === '400') expect(start).toThrow(expect.objectContaining({ code: 400 }) as Error)
  else expect(start()).toBe(expected)
})

test('a client is informed when the selector selects an object, and when it no longer does', () => {
  const selection = {
    labelSelector: 'shown',
    name: undefined,
    isInScope: () => true,
    hasLabels: ({ metadata }: { metadata: Record<string, unknown> }) =>
      metadata['labels'] === 'shown',
  }
  const one = (labels: string) => ({ metadata: { name: 'a', labels } })
  const knowing = new WatchSelection(selection, [])
  expect(knowing.typeOf('MODIFIED', one(''))).toBeUndefined()
  expect(knowing.typeOf('MODIFIED', one('shown'))).toBe('ADDED')
  expect(knowing.typeOf('MODIFIED', one('shown'))).toBe('MODIFIED')
  expect(knowing.typeOf('MODIFIED', one(''))).toBe('DELETED')
  expect(knowing.typeOf('DELETED', one(''))).toBeUndefined()
  const resumed = new WatchSelection(selection, undefined)
  expect(resumed.typeOf('MODIFIED', one('shown'))).toBe('MODIFIED')
  expect(resumed.typeOf('MODIFIED', one(''))).toBe('DELETED')
})

test('wrong declarations are refused', () => {
  const Other = defineResource({ ...names, version: 'v2', kind: 'Other' })
  expect(() => apiDeclaration({ resources: [] })).toThrow('has no resources')
  expect(() =>
    apiDeclaration({
      resources: [serveResource(Thing, functions), serveResource(Other, functions)],
    }),
  ).toThrow('Other is in example.com/v2, not in example.com/v1')
  const things = serveResource(Thing, functions)
  expect(() => apiDeclaration({ resources: [things, things] })).toThrow('served twice')
  expect(() => apiDeclaration({ resources: [things], timeout: '1m' })).toThrow('longer than 30 s')
})
