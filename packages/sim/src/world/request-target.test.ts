import { expect, test } from 'vitest'
import { bucketOf, isWrite, keyOf, requestTarget } from './request-target.ts'

const base = 'https://127.0.0.1:1'

test.each([
  ['GET', '/api/v1/configmaps?resourceVersion=0', 'list /configmaps  stale'],
  ['GET', '/api/v1/namespaces/a/pods/b', 'get /pods a/b fresh'],
  ['GET', '/apis/apps/v1/deployments?watch=true', 'watch apps/deployments  stale'],
  ['POST', '/apis/apps/v1/namespaces/a/deployments', 'create apps/deployments a/ fresh write'],
  ['PATCH', '/apis/x.io/v1/namespaces/a/webs/b/status', 'patch x.io/webs a/b status fresh write'],
  ['DELETE', '/api/v1/namespaces/a', 'delete /namespaces a fresh write'],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection /pods a/ fresh write'],
  ['POST', '/api/v1/namespaces/a/pods/b/eviction', 'create /pods a/b eviction fresh write'],
  [
    'PUT',
    '/apis/coordination.k8s.io/v1/namespaces/a/leases/b',
    'update coordination.k8s.io/leases a/b fresh',
  ],
])('%s %s', (method, path, expected) => {
  const target = requestTarget(method, base + path)
  if (target === undefined) throw new Error('no target')
  const words = [target.verb, bucketOf(target), keyOf(target), target.subresource]
  const freshness = target.mayBeStale ? 'stale' : 'fresh'
  const text = [...words, freshness, isWrite(target) ? 'write' : ''].join(' ').replace(/ +$/, '')
  expect(text.replace(/ {2,}(?=fresh)/, ' ').replace(/ {3}stale/, '  stale')).toBe(expected)
})

test.each(['/version', '/api', '/apis/apps/v1', '/healthz'])('%s is not a resource', (path) => {
  expect(requestTarget('GET', base + path)).toBeUndefined()
})
