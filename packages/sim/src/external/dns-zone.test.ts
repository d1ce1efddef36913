import { expect, test } from 'vitest'
import { dnsZone } from './dns-zone.ts'
import { Asked } from './testdata/ask.ts'

const origin = 'http://dns.example'
const record = { name: 'www.example.com', type: 'A', values: ['192.0.2.1'], ttl: 60 }
const records = '/zones/example.com/records'

test('the server chooses the id of each record, including a second one of the same name', () => {
  const dns = new Asked(dnsZone({ origin, zones: ['example.com'] }))
  expect(dns.ask(`POST ${records}`, record)).toEqual({
    status: 201,
    body: { ...record, id: 'id-1' },
  })
  dns.ask(`POST ${records}`, record)
  expect(dns.ask(`GET ${records}?name=www.example.com&type=A`).body).toMatchObject({
    records: [{ id: 'id-1' }, { id: 'id-2' }],
  })
  expect(dns.ask(`GET ${records}?name=other.example.com`).body).toEqual({ records: [] })
  expect(Object.keys(dns.resources())).toEqual([
    'example.com A www.example.com',
    'example.com A www.example.com (2)',
  ])
})

test('a record is read, replaced and deleted by its id', () => {
  const dns = new Asked(dnsZone({ origin, zones: ['example.com'] }))
  dns.ask(`POST ${records}`, record)
  expect(dns.ask(`PUT ${records}/id-1`, { values: ['192.0.2.2'] }).status).toBe(200)
  expect(dns.ask(`GET ${records}/id-1`).body).toMatchObject({ values: ['192.0.2.2'], ttl: 60 })
  expect(dns.ask(`DELETE ${records}/id-1`).status).toBe(204)
  expect(dns.ask(`DELETE ${records}/id-1`).status).toBe(404)
  expect(dns.resources()).toEqual({})
})

test('an unknown zone and a record without a name are refused', () => {
  const dns = new Asked(dnsZone({ origin, zones: ['example.com'] }))
  expect(dns.ask('GET /zones/other.com/records').status).toBe(404)
  expect(dns.ask(`POST ${records}`, { type: 'A' }).status).toBe(400)
})

test('resolvers see a change after the propagation', () => {
  const dns = new Asked(dnsZone({ origin, zones: ['example.com'], propagationMs: 60_000 }))
  const resolve = 'GET /resolve?name=www.example.com&type=A'
  const valuesAt = (nowMs: number) => {
    dns.nowMs = nowMs
    return dns.ask(resolve).body
  }
  dns.ask(`POST ${records}`, record)
  expect(valuesAt(59_999)).toEqual({ values: [] })
  expect(valuesAt(60_000)).toEqual({ values: ['192.0.2.1'] })
  dns.ask(`PUT ${records}/id-1`, { values: ['192.0.2.2'] })
  expect(valuesAt(119_999)).toEqual({ values: ['192.0.2.1'] })
  dns.ask(`DELETE ${records}/id-1`)
  expect(valuesAt(150_000)).toEqual({ values: ['192.0.2.2'] })
  expect(valuesAt(180_000)).toEqual({ values: [] })
  expect(dns.isRead(resolve)).toBe(true)
})
