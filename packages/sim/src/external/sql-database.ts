import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import {
  external,
  type ExternalAnswer,
  type ExternalRequest,
  type ExternalSystem,
} from './external.ts'
import { mapIn, type ModelOptions, partsOf, textIn } from './model-state.ts'
import { readStatement, type SqlStatement } from './sql-statement.ts'

/** The options of a database server. */
export type SqlDatabaseOptions = ModelOptions

/**
 * A model of a PostgreSQL server: roles, databases and grants, without tables. Drivers open sockets,
 * which the simulator does not have, so statements are sent over HTTP: give the operator a function
 * `query`, which uses a driver in production and this interface in a simulation.
 *
 *     const server = sqlDatabase({ origin: 'http://postgres.example' })
 *     await simulate([operator], { samples, externals: [server] })
 *
 * `POST /query` with `{ sql, params }` is answered with `{ rows }`, or with 400 and the `code` and
 * `message` of PostgreSQL. `GET /query?sql=SELECT...` reads from a replica, which `staleMs` makes
 * stale. It understands one statement of these per request:
 *
 *     CREATE ROLE name [LOGIN] [PASSWORD 'text']    DROP ROLE [IF EXISTS] name
 *     ALTER ROLE name PASSWORD 'text'               CREATE DATABASE name [OWNER role]
 *     GRANT CONNECT ON DATABASE name TO role        DROP DATABASE [IF EXISTS] name
 *     REVOKE CONNECT ON DATABASE name FROM role
 *     SELECT ... FROM pg_roles | pg_database [WHERE column = 'name']
 */
export function sqlDatabase(options: SqlDatabaseOptions): ExternalSystem {
  const { name = 'sql', ...rest } = options
  return external({
    ...rest,
    name,
    initial: { roles: {}, databases: {} },
    handle: (request, state) => {
      const { segments, query } = partsOf(request.path)
      if (segments.join('/') !== 'query') return { status: 404 }
      const statement = statementOf(request, query)
      if (statement === undefined) return failed('42601', 'the model does not know this statement')
      if (request.method === 'GET' && statement.do !== 'select') {
        return failed('25006', 'cannot execute a change in a read-only transaction')
      }
      return execute(statement, {
        roles: mapIn(state, 'roles'),
        databases: mapIn(state, 'databases'),
      })
    },
    resources: (state) => contentOf(mapIn(state, 'roles'), mapIn(state, 'databases')),
  })
}

interface Server {
  readonly roles: JsonObject
  readonly databases: JsonObject
}

function statementOf(
  { method, body }: ExternalRequest,
  query: URLSearchParams,
): SqlStatement | undefined {
  if (method === 'GET') return readStatement(query.get('sql') ?? '')
  const params = isJsonObject(body) ? body['params'] : undefined
  return readStatement(textIn(body, 'sql'), Array.isArray(params) ? params : [])
}

function failed(code: string, message: string): ExternalAnswer {
  return { status: 400, body: { code, message } }
}

const done: ExternalAnswer = { status: 200, body: { rows: [] } }

function execute(statement: SqlStatement, server: Server): ExternalAnswer {
  const { roles, databases } = server
  switch (statement.do) {
    case 'create-role':
    case 'alter-role':
      return writeRole(statement, roles)
    case 'drop-role':
      return dropRole(statement, server)
    case 'create-database': {
      const { database, owner = '' } = statement
      if (databases[database] !== undefined) return exists('42P04', 'database', database)
      if (owner !== '' && roles[owner] === undefined) return missing('42704', 'role', owner)
      databases[database] = { owner, grants: {} }
      return done
    }
    case 'drop-database': {
      const { database, isOptional } = statement
      if (databases[database] === undefined) {
        return isOptional ? done : missing('3D000', 'database', database)
      }
      Reflect.deleteProperty(databases, database)
      return done
    }
    case 'grant':
    case 'revoke':
      return changeGrants(statement, server)
    case 'select': {
      const column = statement.from === 'pg_roles' ? 'rolname' : 'datname'
      const all = Object.keys(statement.from === 'pg_roles' ? roles : databases)
      const asked = all.filter((one) => statement.name === undefined || one === statement.name)
      return { status: 200, body: { rows: asked.map((one) => ({ [column]: one })) } }
    }
  }
}

function exists(code: string, what: string, name: string): ExternalAnswer {
  return failed(code, `${what} "${name}" already exists`)
}

function missing(code: string, what: string, name: string): ExternalAnswer {
  return failed(code, `${what} "${name}" does not exist`)
}

function writeRole(
  statement: Extract<SqlStatement, { do: 'create-role' | 'alter-role' }>,
  roles: JsonObject,
): ExternalAnswer {
  const { role, password } = statement
  const isNew = statement.do === 'create-role'
  if (isNew && roles[role] !== undefined) return exists('42710', 'role', role)
  if (!isNew && roles[role] === undefined) return missing('42704', 'role', role)
  if (isNew || password !== undefined) roles[role] = password === undefined ? {} : { password }
  return done
}

function dropRole(
  { role, isOptional }: Extract<SqlStatement, { do: 'drop-role' }>,
  { roles, databases }: Server,
): ExternalAnswer {
  if (roles[role] === undefined) return isOptional ? done : missing('42704', 'role', role)
  const isNeeded = Object.values(databases).some(
    (database) => textIn(database, 'owner') === role || grantsOf(database)[role] !== undefined,
  )
  if (isNeeded) {
    return failed('2BP01', `role "${role}" cannot be dropped because some objects depend on it`)
  }
  Reflect.deleteProperty(roles, role)
  return done
}

function changeGrants(
  { do: verb, role, database, privileges }: Extract<SqlStatement, { do: 'grant' | 'revoke' }>,
  { roles, databases }: Server,
): ExternalAnswer {
  const entry = databases[database]
  if (!isJsonObject(entry)) return missing('3D000', 'database', database)
  if (roles[role] === undefined) return missing('42704', 'role', role)
  const grants = mapIn(entry, 'grants')
  const present = grants[role]
  const before = Array.isArray(present) ? present.map(String) : []
  const after =
    verb === 'grant'
      ? [...new Set([...before, ...privileges])].sort()
      : before.filter((one) => !privileges.includes(one) && !privileges.includes('ALL'))
  if (after.length > 0) grants[role] = after
  else Reflect.deleteProperty(grants, role)
  return done
}

function grantsOf(database: JsonValue): JsonObject {
  const grants = isJsonObject(database) ? database['grants'] : undefined
  return isJsonObject(grants) ? grants : {}
}

/** Passwords are compared, but not shown. */
function contentOf(roles: JsonObject, databases: JsonObject): Record<string, JsonValue> {
  const hashed = (text: string): string => createHash('sha256').update(text).digest('hex')
  return Object.fromEntries([
    ...Object.entries(roles).map(([role, content]) => {
      const password = textIn(content, 'password')
      const shown = password === '' ? {} : { passwordHash: hashed(password).slice(0, 12) }
      return [`role ${role}`, shown] as const
    }),
    ...Object.entries(databases).map(
      ([database, content]) => [`database ${database}`, content] as const,
    ),
  ])
}
