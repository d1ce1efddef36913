import type { ChildContext, Desired } from 'setpoint'
import type { ConfigMap, EnvVar, Secret, Service } from 'setpoint/kinds'
import { databaseLabel, labelsOf, namesOf, port, userName } from './names.ts'
import type { Database } from './sample-db.ts'

const passwordBytes = 24

/** The credentials: random, created once and never changed. */
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
