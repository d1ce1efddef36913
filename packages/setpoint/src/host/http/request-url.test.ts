import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestUrl } from './request-url.ts'

const segment = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('', '.', '..', '%2e', '%2E%2e', 'a b', 'namespaces', 'web-1', "it's", '~x', '#'),
)
const address = fc.constantFrom(
  'https://127.0.0.1:6443',
  'http://example.com',
  'HTTP://Example.COM:80',
  'https://[::1]:8443',
  'https://a@b',
  'ftp://x',
  'https:/x',
  'nonsense',
)
const url = fc
  .tuple(address, fc.array(segment, { maxLength: 5 }), fc.option(segment, { nil: undefined }))
  .map(
    ([server, path, query]) =>
      [server, ...path].join('/') + (query === undefined ? '' : `?${query}`),
  )

test('splits a URL as a URL parser does', () => {
  fc.assert(
    fc.property(url, (text) => {
      const expected = URL.canParse(text) ? new URL(text) : undefined
      const { server, path, query } = requestUrl(text) ?? {}
      expect([server?.host, server?.protocol, server?.username, path, query]).toEqual([
        expected?.host,
        expected?.protocol,
        expected?.username,
        expected?.pathname,
        expected?.search,
      ])
    }),
    { numRuns: 2000 },
  )
})
