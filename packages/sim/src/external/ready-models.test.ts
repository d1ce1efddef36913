import * as z from 'zod'
import { type AnyOperator, defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { dnsZone, type Fault, objectStore, simulate, sqlDatabase } from '../index.ts'
import type { ExternalSystem } from './external.ts'

const Site = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: z.object({}),
})

const origin = 'http://outside.example'

/** Calls the model; the answer with its body. */
async function call(method: string, path: string, content?: unknown) {
  const body = content === undefined ? null : JSON.stringify(content)
  const response = await fetch(`${origin}${path}`, { method, body })
  if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}`)
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as unknown }
}

/** The faults of the findings about external systems. */
async function foundWith(program: AnyOperator, system: ExternalSystem) {
  const samples = { metadata: { name: 'oak' }, spec: {} }
  const options = { samples, inert: ['spec'], externals: [system], budget: '10m' } as const
  const { findings, bypasses } = await simulate([program], options)
  expect(bypasses).toEqual([])
  return findings.flatMap(({ oracle, plan }) =>
    plan.faults.map(({ type }): `${string} ${Fault['type']}` => `${oracle} ${type}`),
  )
}

interface DnsRecord {
  readonly id: string
}

const records = '/zones/example.com/records'

async function recordsOf(name: string): Promise<readonly DnsRecord[]> {
  const { body } = await call('GET', `${records}?name=${name}`)
  return (body as { readonly records: readonly DnsRecord[] }).records
}

async function createRecord(name: string): Promise<DnsRecord> {
  const { body } = await call('POST', records, { name, type: 'A', values: ['192.0.2.1'] })
  return body as DnsRecord
}

test('a record whose id got lost stays in a DNS zone, unless records are found by name', async () => {
  const byId = operator(Site)
    .owns(ConfigMap)
    .reconcile(async ({ metadata: { name } }, ctx) => {
      if (ctx.owned(ConfigMap).length > 0) return
      const { id } = await createRecord(name)
      await ctx.apply(ConfigMap, { metadata: { name }, data: { id } })
    })
    .onDelete(async (_, ctx) => {
      for (const { data } of ctx.owned(ConfigMap))
        await call('DELETE', `${records}/${data?.['id']}`)
    })
  const byName = operator(Site)
    .reconcile(async ({ metadata: { name } }) => {
      const [first, ...others] = await recordsOf(name)
      if (first === undefined) await createRecord(name)
      for (const { id } of others) await call('DELETE', `${records}/${id}`)
      return { recheckAfter: '1m' }
    })
    .onDelete(async ({ metadata: { name } }) => {
      for (const { id } of await recordsOf(name)) await call('DELETE', `${records}/${id}`)
    })
  const dns = dnsZone({ origin, zones: ['example.com'] })
  expect(await foundWith(byId, dns)).toContain('O17 call-lost')
  expect(await foundWith(byName, dns)).toEqual([])
})

test('a bucket stays in an object store if the answers to deletions are not read', async () => {
  const withBucket = (isChecked: boolean) =>
    operator(Site)
      .reconcile(async ({ metadata: { name } }) => {
        await call('PUT', `/${name}`)
        await call('PUT', `/${name}/index.html`, 'hello')
      })
      .onDelete(async ({ metadata: { name } }) => {
        const { body } = await call('GET', `/${name}`)
        const { keys = [] } = body as { readonly keys?: readonly string[] }
        for (const path of [...keys.map((key) => `/${name}/${key}`), `/${name}`]) {
          if (!isChecked) await fetch(`${origin}${path}`, { method: 'DELETE' })
          else if ((await call('DELETE', path)).status === 409) throw new Error('not empty')
        }
      })
  const store = objectStore({ origin, listDelayMs: 10_000 })
  expect(await foundWith(withBucket(false), store)).toContain('O17 call-limited')
  expect(await foundWith(withBucket(true), store)).toEqual([])
})

test('a database is missing if only its role was checked', async () => {
  const query = async (sql: string, allowed: readonly string[] = []): Promise<unknown[]> => {
    const { body } = await call('POST', '/query', { sql })
    const { rows = [], code = '' } = body as { rows?: unknown[]; code?: string }
    if (code !== '' && !allowed.includes(code)) throw new Error(sql)
    return rows
  }
  const withDatabase = (checksBoth: boolean) =>
    operator(Site)
      .reconcile(async ({ metadata: { name } }) => {
        const roles = await query(`SELECT rolname FROM pg_roles WHERE rolname = '${name}'`)
        if (roles.length > 0 && !checksBoth) return
        await query(`CREATE ROLE ${name}`, ['42710'])
        await query(`CREATE DATABASE ${name} OWNER ${name}`, ['42P04'])
      })
      .onDelete(async ({ metadata: { name } }) => {
        await query(`DROP DATABASE IF EXISTS ${name}`)
        await query(`DROP ROLE IF EXISTS ${name}`)
      })
  const server = sqlDatabase({ origin })
  expect(await foundWith(withDatabase(false), server)).toContain('O17 call-lost')
  expect(await foundWith(withDatabase(true), server)).toEqual([])
})
