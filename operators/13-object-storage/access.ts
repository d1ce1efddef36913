import type { ChildContext, Desired } from 'setpoint'
import type { Job, Secret, Volume } from 'setpoint/kinds'
import { hostOf, namesOf, ports, schemeOf } from './names.ts'
import { rootEnv } from './servers.ts'
import type { Storage } from './tenant.ts'

type User = Storage['spec']['users'][number]
type Statement = Storage['spec']['policies'][number]['statements'][number]

/** The users that a run keeps and removes, by name. It is stored before the run changes MinIO. */
export interface UserPlan {
  readonly keep: readonly string[]
  readonly remove: readonly string[]
}

/** Compares the users of the spec with those that may exist in MinIO. */
export function planUsers({ spec, status }: Storage): UserPlan {
  const keep = spec.users.map(({ name }) => name)
  return { keep, remove: (status?.users ?? []).filter((name) => !keep.includes(name)) }
}

/** Random credentials, which are created once. */
export function credentials(
  name: string,
  accessKey: string,
  random: Pick<ChildContext, 'randomBytes'>,
): Desired<typeof Secret> {
  const secretKey = Buffer.from(random.randomBytes(30)).toString('base64url')
  return { metadata: { name }, stringData: { accessKey, secretKey } }
}

/** The policy of a user in MinIO: the statements of all its policies. */
export function policyDocument(statements: readonly Statement[]): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: statements.map(({ effect, actions, resources }) => ({
      Effect: effect,
      Action: actions,
      Resource: resources.map((resource) => `arn:aws:s3:::${resource}`),
    })),
  })
}

/**
 * The commands that bring buckets and users to the spec. They can be interrupted and repeated.
 * Every user has one policy of its own name, so nothing has to be detached. Secrets come from files,
 * not from arguments.
 */
export function provisionScript({ spec }: Storage, { keep, remove }: UserPlan): string {
  const lines = [
    'set -eu',
    'mc() { command mc --quiet --resolve "$HOST=$ADDRESS" "$@"; }',
    `printf '%s\\n%s\\n' "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" | mc alias set tenant "$URL"`,
    ...spec.buckets.flatMap(({ name, versioned }) => [
      `mc mb --ignore-existing tenant/${name}`,
      `mc version ${versioned ? 'enable' : 'suspend'} tenant/${name}`,
    ]),
    ...spec.users.filter(({ name }) => keep.includes(name)).flatMap((user) => addUser(spec, user)),
    `users=$(mc admin user list tenant --json)`,
    ...remove.flatMap((name) => [
      `case "$users" in *'"accessKey":"${name}"'*) mc admin user remove tenant ${name} ;; esac`,
      `mc admin policy remove tenant ${name}`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function addUser({ policies }: Storage['spec'], { name, policies: wanted }: User): string[] {
  const statements = policies.filter((policy) => wanted.includes(policy.name))
  const add = `printf '%s\\n' "$(cat ${userDirectory(name)}/secretKey)" | mc admin user add tenant ${name}`
  // MinIO has no empty policy. A user without one has no rights.
  const deny: Statement = { effect: 'Deny', actions: ['s3:*'], resources: ['*'] }
  const document = policyDocument(
    statements.length === 0 ? [deny] : statements.flatMap((policy) => policy.statements),
  )
  return [
    add,
    `mc admin policy create tenant ${name} /dev/stdin <<'JSON'`,
    document,
    'JSON',
    `mc admin policy attach tenant ${name} --user ${name}`,
  ]
}

const userDirectory = (name: string): string => `/run/users/${name}`
const configDirectory = '/run/mc'
const authorities = '/run/authorities'

/** The Job that runs the commands, with `mc` of the image, next to the servers. */
export function provisionJob(
  tenant: Storage,
  plan: UserPlan,
  address: string,
): Desired<typeof Job> {
  const { metadata, spec } = tenant
  const names = namesOf(tenant)
  const users = spec.users.filter(({ name }) => plan.keep.includes(name))
  // Not the label of the servers: a Service must not select the pod.
  const labels = { 'storage.example.com/provisions': metadata.name }
  const volumes: Volume[] = [
    { name: 'config', emptyDir: {} },
    ...users.map((user) => ({
      name: `user-${user.name}`,
      secret: { secretName: names.user(user) },
    })),
    ...(spec.tls === undefined
      ? []
      : [{ name: 'authorities', secret: { secretName: spec.tls.secretName, items: [caFile] } }]),
  ]
  const paths: Record<string, string> = {
    config: configDirectory,
    authorities,
    ...Object.fromEntries(users.map(({ name }) => [`user-${name}`, userDirectory(name)])),
  }
  const container = {
    name: 'provision',
    image: spec.image,
    command: ['sh', '-c', provisionScript(tenant, plan)],
    env: [
      ...rootEnv(tenant),
      { name: 'HOST', value: `${hostOf(tenant)}:${ports.s3}` },
      { name: 'ADDRESS', value: address },
      { name: 'URL', value: `${schemeOf(tenant)}://${hostOf(tenant)}:${ports.s3}` },
      { name: 'MC_CONFIG_DIR', value: configDirectory },
      ...(spec.tls === undefined ? [] : [{ name: 'SSL_CERT_DIR', value: authorities }]),
    ],
    volumeMounts: volumes.map(({ name }) => ({ name, mountPath: paths[name] ?? '' })),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  }
  return {
    metadata: { labels },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          containers: [container],
          volumes,
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
        },
      },
    },
  }
}

const caFile = { key: 'ca.crt', path: 'ca.crt' }
