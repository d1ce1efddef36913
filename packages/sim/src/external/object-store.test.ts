import { expect, test } from 'vitest'
import { objectStore } from './object-store.ts'
import { Asked } from './testdata/ask.ts'

const origin = 'http://s3.example'

test('a bucket is created once, and deleted when it has no objects', () => {
  const store = new Asked(objectStore({ origin }))
  expect(store.ask('PUT /data').status).toBe(200)
  expect(store.ask('PUT /data')).toEqual({
    status: 409,
    body: { error: 'BucketAlreadyOwnedByYou' },
  })
  expect(store.ask('PUT /data/a/b.txt', 'hello').status).toBe(200)
  expect(store.ask('DELETE /data')).toEqual({ status: 409, body: { error: 'BucketNotEmpty' } })
  expect(store.ask('DELETE /data/a/b.txt').status).toBe(204)
  expect(store.ask('DELETE /data/a/b.txt').status).toBe(204)
  expect(store.ask('DELETE /data').status).toBe(204)
  expect(store.ask('DELETE /data').status).toBe(404)
  expect(store.resources()).toEqual({})
})

test('objects are read and listed', () => {
  const store = new Asked(objectStore({ origin }))
  expect(store.ask('PUT /data/a').status).toBe(404)
  store.ask('PUT /data')
  store.ask('PUT /data/a', 'one')
  store.ask('PUT /data/b', { two: 2 })
  expect(store.ask('GET /').body).toEqual({ buckets: ['data'] })
  expect(store.ask('HEAD /data').status).toBe(200)
  expect(store.ask('GET /data').body).toEqual({ keys: ['a', 'b'] })
  expect(store.ask('GET /data?prefix=b').body).toEqual({ keys: ['b'] })
  expect(store.ask('GET /data/b').body).toEqual({ two: 2 })
  expect(store.ask('GET /data/c').status).toBe(404)
  expect(Object.keys(store.resources())).toEqual(['bucket data', 'object data/a', 'object data/b'])
})

test('lists of objects may be behind, the objects are not', () => {
  const store = new Asked(objectStore({ origin, listDelayMs: 5000 }))
  store.ask('PUT /data')
  store.ask('PUT /data/a', 'one')
  expect(store.ask('GET /data').body).toEqual({ keys: [] })
  expect(store.ask('GET /data/a').body).toBe('one')
  store.nowMs = 5000
  expect(store.ask('GET /data').body).toEqual({ keys: ['a'] })
  store.ask('DELETE /data/a')
  expect(store.ask('GET /data').body).toEqual({ keys: ['a'] })
  expect(store.ask('DELETE /data').status).toBe(204)
  store.ask('PUT /data')
  expect(store.ask('GET /data').body).toEqual({ keys: [] })
  expect(store.isRead('GET /data')).toBe(true)
})
