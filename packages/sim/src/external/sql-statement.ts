import type { JsonValue } from 'setpoint/schema'

/** A statement of the SQL that the model of a database understands. */
export type SqlStatement =
  | { readonly do: 'create-role'; readonly role: string; readonly password: string | undefined }
  | { readonly do: 'alter-role'; readonly role: string; readonly password: string | undefined }
  | { readonly do: 'drop-role'; readonly role: string; readonly isOptional: boolean }
  | {
      readonly do: 'create-database'
      readonly database: string
      readonly owner: string | undefined
    }
  | { readonly do: 'drop-database'; readonly database: string; readonly isOptional: boolean }
  | ({ readonly do: 'grant' | 'revoke' } & SqlGrant)
  | {
      readonly do: 'select'
      readonly from: 'pg_roles' | 'pg_database'
      readonly name: string | undefined
    }

/** Privileges of a role on a database. */
interface SqlGrant {
  readonly privileges: readonly string[]
  readonly database: string
  readonly role: string
}

const name = '("[^"]+"|[a-z_][a-z0-9_$-]*)'
const text = "'((?:[^']|'')*)'"

const roleForm = new RegExp(`^(create|alter) (?:role|user) ${name}((?: .*)?)$`, 'i')
const passwordForm = new RegExp(`password ${text}`, 'i')
const dropForm = new RegExp(`^drop (role|user|database) (if exists )?${name}$`, 'i')
const databaseForm = new RegExp(
  `^create database ${name}(?: (?:with )?owner(?: =)? ${name})?$`,
  'i',
)
const grantForm = new RegExp(`^(grant|revoke) (.+) on database ${name} (?:to|from) ${name}$`, 'i')
const selectForm = new RegExp(
  `^select .+ from (pg_roles|pg_database)(?: where \\w+ = ${text})?$`,
  'i',
)

/** Reads one statement with its parameters `$1`, `$2`; `undefined` if it is not understood. */
export function readStatement(
  sql: string,
  params: readonly JsonValue[] = [],
): SqlStatement | undefined {
  const filled = sql.replace(/\$(\d+)/g, (_, place: string) => quoted(params[Number(place) - 1]))
  const line = filled.trim().replace(/\s*;$/, '').replace(/\s+/g, ' ')
  const [, verb, role, rest = ''] = roleForm.exec(line) ?? []
  if (role !== undefined) {
    const password = passwordForm.exec(rest)?.[1]?.replaceAll("''", "'")
    const isNew = verb?.toLowerCase() === 'create'
    return { do: isNew ? 'create-role' : 'alter-role', role: plain(role), password }
  }
  return readDrop(line) ?? readDatabase(line) ?? readGrant(line) ?? readSelect(line)
}

function readDrop(line: string): SqlStatement | undefined {
  const [, what, optional, dropped] = dropForm.exec(line) ?? []
  if (what === undefined || dropped === undefined) return undefined
  const isOptional = optional !== undefined
  return what.toLowerCase() === 'database'
    ? { do: 'drop-database', database: plain(dropped), isOptional }
    : { do: 'drop-role', role: plain(dropped), isOptional }
}

function readDatabase(line: string): SqlStatement | undefined {
  const [, database, owner] = databaseForm.exec(line) ?? []
  if (database === undefined) return undefined
  return { do: 'create-database', database: plain(database), owner: owner && plain(owner) }
}

function readGrant(line: string): SqlStatement | undefined {
  const [, verb, list = '', database, role] = grantForm.exec(line) ?? []
  if (verb === undefined || database === undefined || role === undefined) return undefined
  const privileges = list
    .toUpperCase()
    .split(',')
    .map((one) => one.trim())
  const isGrant = verb.toLowerCase() === 'grant'
  return {
    do: isGrant ? 'grant' : 'revoke',
    privileges,
    database: plain(database),
    role: plain(role),
  }
}

function readSelect(line: string): SqlStatement | undefined {
  const [, table, asked] = selectForm.exec(line) ?? []
  if (table === undefined) return undefined
  const from = table.toLowerCase() === 'pg_roles' ? 'pg_roles' : 'pg_database'
  return { do: 'select', from, name: asked?.replaceAll("''", "'") }
}

/** A quoted name keeps its case, as in PostgreSQL. */
function plain(given: string): string {
  return given.startsWith('"') ? given.slice(1, -1) : given.toLowerCase()
}

function quoted(value: JsonValue | undefined): string {
  return `'${textOf(value).replaceAll("'", "''")}'`
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
