import { expect, test } from 'vitest'
import type { JsonValue } from 'setpoint/schema'
import { sqlDatabase } from './sql-database.ts'
import { Asked } from './testdata/ask.ts'

/** Asks the model; the answer is the rows or the code of the error. */
function database() {
  const server = new Asked(sqlDatabase({ origin: 'http://postgres.example' }))
  const query = (sql: string, ...params: JsonValue[]) => {
    const { body } = server.ask('POST /query', { sql, params })
    const { rows, code } = body as { readonly rows?: JsonValue; readonly code?: string }
    return rows ?? code
  }
  return { server, query }
}

test('roles and databases are created once, and found', () => {
  const { query } = database()
  expect(query(`CREATE ROLE app LOGIN PASSWORD 'it''s'`)).toEqual([])
  expect(query('create user "app"')).toBe('42710')
  expect(query('CREATE DATABASE shop OWNER other')).toBe('42704')
  expect(query('CREATE DATABASE shop OWNER app;')).toEqual([])
  expect(query('CREATE DATABASE shop')).toBe('42P04')
  expect(query('SELECT rolname FROM pg_roles WHERE rolname = $1', 'app')).toEqual([
    { rolname: 'app' },
  ])
  expect(query('SELECT 1 FROM pg_database')).toEqual([{ datname: 'shop' }])
})

test('a role with a database or a grant is not dropped', () => {
  const { query, server } = database()
  query('CREATE ROLE app')
  query('CREATE DATABASE shop')
  expect(query('GRANT CONNECT, CREATE ON DATABASE shop TO app')).toEqual([])
  expect(server.resources()).toMatchObject({
    'database shop': { grants: { app: ['CONNECT', 'CREATE'] } },
  })
  expect(query('DROP ROLE app')).toBe('2BP01')
  expect(query('REVOKE ALL ON DATABASE shop FROM app')).toEqual([])
  expect(query('DROP ROLE app')).toEqual([])
  expect(query('DROP ROLE app')).toBe('42704')
  expect(query('DROP ROLE IF EXISTS app')).toEqual([])
  expect(query('DROP DATABASE shop')).toEqual([])
  expect(query('DROP DATABASE shop')).toBe('3D000')
  expect(server.resources()).toEqual({})
})

test('a password changes, and is not shown', () => {
  const { query, server } = database()
  query('CREATE ROLE app PASSWORD $1', 'first')
  const before = server.resources()['role app']
  expect(query('ALTER ROLE app PASSWORD $1', 'second')).toEqual([])
  expect(server.resources()['role app']).not.toEqual(before)
  expect(JSON.stringify(server.resources())).not.toContain('second')
})

test('a replica only reads, and other statements are refused', () => {
  const { query, server } = database()
  expect(query('DELETE FROM orders')).toBe('42601')
  expect(server.ask('GET /query?sql=SELECT%201%20FROM%20pg_roles').body).toEqual({ rows: [] })
  expect(server.ask('GET /query?sql=CREATE%20ROLE%20app').body).toMatchObject({ code: '25006' })
})
