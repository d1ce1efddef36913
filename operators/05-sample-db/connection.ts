import type { ChildContext, Desired } from 'setpoint'
import type { ConfigMap, EnvVar, Secret, Service } from 'setpoint/kinds'
import { databaseLabel, labelsOf, namesOf, port, userName } from './names.ts'
import type { Database } from './sample-db.ts'

const passwordBytes = 24

/** The credentials: random, and created once. A user may change the password. */
export function credentials(
  { metadata: { name } }: Database,
  { randomBytes }: Pick<ChildContext, 'randomBytes'>,
): Desired<typeof Secret> {
  return {
    metadata: { name: namesOf(name).secret, labels: { [databaseLabel]: name } },
    type: 'kubernetes.io/basic-auth',
    stringData: {
      username: userName,
      password: Buffer.from(randomBytes(passwordBytes)).toString('base64url'),
    },
  }
}

/** The Service to which clients connect. */
export function service({ metadata: { name } }: Database): Desired<typeof Service> {
  return {
    metadata: { name: namesOf(name).service, labels: { [databaseLabel]: name } },
    spec: { selector: labelsOf(name, 'server'), ports: [{ name: 'postgres', port }] },
  }
}

/** The headless Service of the StatefulSet. */
export function podService({ metadata: { name } }: Database): Desired<typeof Service> {
  return {
    metadata: { name: namesOf(name).podService, labels: { [databaseLabel]: name } },
    spec: {
      clusterIP: 'None',
      selector: labelsOf(name, 'server'),
      ports: [{ name: 'postgres', port }],
    },
  }
}

/** The connection details for clients, with the cluster IP for clients without cluster DNS. */
export function connection(
  { metadata: { name, namespace }, spec }: Database,
  address: string | undefined,
): Desired<typeof ConfigMap> {
  return {
    metadata: { name: namesOf(name).configMap, labels: { [databaseLabel]: name } },
    data: {
      host: `${namesOf(name).service}.${namespace}.svc`,
      address,
      port: `${port}`,
      database: spec.database,
      'init.sql': spec.initScript,
    },
  }
}

/**
 * The Secret for applications, with the entries of the Service Binding specification. It follows
 * the credentials, so that applications get a new password.
 */
export function binding(
  { metadata: { name, namespace }, spec }: Database,
  { username, password }: Readonly<Record<string, string>> = {},
): Desired<typeof Secret> | null {
  if (username === undefined || password === undefined) return null
  const texts = {
    type: 'postgresql',
    provider: 'sample-db',
    host: `${namesOf(name).service}.${namespace}.svc`,
    port: `${port}`,
    database: spec.database,
  }
  const encoded = Object.entries(texts).map(([key, text]) => [key, btoa(text)] as const)
  return {
    metadata: { name: namesOf(name).binding, labels: { [databaseLabel]: name } },
    type: 'servicebinding.io/postgresql',
    data: { ...Object.fromEntries(encoded), username, password },
  }
}

/** The environment variables of PostgreSQL clients, from the ConfigMap and the Secret. */
export function clientEnv(name: string): EnvVar[] {
  const { configMap } = namesOf(name)
  const from = (variable: string, key: string, optional = false): EnvVar => ({
    name: variable,
    valueFrom: { configMapKeyRef: { name: configMap, key, ...(optional ? { optional } : {}) } },
  })
  return [
    from('PGHOST', 'host'),
    from('PGHOSTADDR', 'address', true),
    from('PGPORT', 'port'),
    from('PGDATABASE', 'database'),
    ...credentialsEnv(name),
  ]
}

/** The credentials as environment variables. */
export function credentialsEnv(name: string): EnvVar[] {
  const { secret } = namesOf(name)
  const from = (variable: string, key: string): EnvVar => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: secret, key } },
  })
  return [from('PGUSER', 'username'), from('PGPASSWORD', 'password')]
}
