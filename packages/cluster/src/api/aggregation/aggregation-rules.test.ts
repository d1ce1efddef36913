import { describe, expect, test } from 'vitest'
import { forwardedPath } from './forwarded-path.ts'
import { remoteUserHeaders } from './remote-user.ts'
import { RemoteDocumentError, versionInDiscovery, versionInResourceList } from './remote-version.ts'
import { type ApiService, sortedGroups } from './sorted-groups.ts'

test.each([
  ['/apis/g/v1/things', '/apis/g/v1/things'],
  ['/apis/g/v1/things?', '/apis/g/v1/things'],
  ['/apis/g/v1/things/', '/apis/g/v1/things/'],
  ['/a?b=2&a=1&b=1', '/a?a=1&b=2&b=1'],
  ['/a?x=a%20b&y=%2F~*', '/a?x=a+b&y=%2F~%2A'],
  ['/a%20b%2fc', '/a%20b/c'],
  ['/a%3Fb', '/a%3Fb'],
  ['/%ff', '/%ff'],
])('the path %s is passed on as %s', (path, expected) => {
  expect(forwardedPath(path)).toBe(expected)
})

test('orders groups by their highest priority, and versions by priority, then by version', () => {
  const service = (name: string, groupPriority: number, versionPriority: number): ApiService => {
    const [version = '', ...rest] = name.split('.')
    const group = rest.join('.')
    const local = { target: undefined, isAvailable: true }
    return { name, group, version, groupPriority, versionPriority, ...local }
  }
  const groups = sortedGroups([
    service('v1.', 18000, 1),
    service('v1.low', 10, 5),
    service('v1beta1.high', 10, 5),
    service('v2.high', 10, 5),
    service('v1.high', 50, 5),
    service('v1alpha1.high', 10, 9),
    service('v1.equal', 10, 1),
  ])
  expect(groups.map((versions) => versions.map(({ name }) => name))).toEqual([
    ['v1alpha1.high', 'v2.high', 'v1.high', 'v1beta1.high'],
    ['v1.equal'],
    ['v1.low'],
  ])
})

test('the headers of a user have escaped keys and several groups', () => {
  const user = { name: 'jane', groups: ['a', 'b'], extra: { 'Example.com/a b%': ['1', 'ü'] } }
  expect(remoteUserHeaders(user)).toEqual({
    'x-remote-user': 'jane',
    'x-remote-group': ['a', 'b'],
    'x-remote-extra-example.com%2fa%20b%25': ['1', Buffer.from('ü').toString('latin1')],
  })
})

describe('a list of resources as a version of discovery', () => {
  test('gives subresources to their resource, and creates a missing one', () => {
    const resources = [
      { name: 'things/status', namespaced: true, kind: 'Thing', verbs: ['get'] },
      { name: 'things', namespaced: true, kind: 'Thing', singularName: 'thing', verbs: ['list'] },
      { name: 'lonely/scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get'] },
    ]
    const empty = { group: '', version: '' }
    expect(versionInResourceList({ resources }, 'v1')).toEqual({
      version: 'v1',
      resources: [
        {
          resource: 'things',
          responseKind: { ...empty, kind: 'Thing' },
          scope: 'Namespaced',
          singularResource: 'thing',
          verbs: ['list'],
          subresources: [
            { subresource: 'status', responseKind: { ...empty, kind: 'Thing' }, verbs: ['get'] },
          ],
        },
        {
          resource: 'lonely',
          responseKind: { ...empty, kind: '' },
          scope: 'Cluster',
          singularResource: '',
          verbs: null,
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
          ],
        },
      ],
    })
  })

  test.each([
    ['a list', []],
    ['resources that are not a list', { resources: {} }],
    ['a resource that is not an object', { resources: ['things'] }],
    ['a name that is not a text', { resources: [{ name: 1 }] }],
  ])('refuses %s', (_, document) => {
    expect(() => versionInResourceList(document, 'v1')).toThrow(RemoteDocumentError)
  })
})

test('a version that is not in a document of discovery has no resources', () => {
  const document = { items: [{ metadata: { name: 'g' }, versions: [{ version: 'v2' }] }] }
  expect(versionInDiscovery(document, { group: 'g', version: 'v1' })).toEqual({ version: 'v1' })
})
