import type { ChildContext, Desired, Frozen } from 'setpoint'
import type { ConfigMap, Secret, VolumeProjection } from 'setpoint/kinds'
import type { Project } from './jenkins.ts'
import { jobFiles } from './jobs.ts'
import { jenkinsLabel, namesOf, port } from './names.ts'

type Credential = Project['spec']['credentials'][number]
type Tree = Readonly<Record<string, unknown>>

/** Plug-ins that the operator's own part of the configuration needs. */
const ownPlugins = ['configuration-as-code']
const credentialPlugins = ['credentials', 'plain-credentials', 'ssh-credentials']

/** The password of the administrator, which is created once. */
export function adminSecret(
  { metadata: { name }, spec }: Project,
  { randomBytes }: Pick<ChildContext, 'randomBytes'>,
): Desired<typeof Secret> | null {
  if (spec.adminSecret !== undefined) return null
  const password = Buffer.from(randomBytes(24)).toString('base64url')
  return {
    metadata: { name: namesOf(name).admin, labels: { [jenkinsLabel]: name } },
    type: 'kubernetes.io/basic-auth',
    stringData: { username: 'admin', password },
  }
}

/** The Secret of the administrator: a given one, or our own. */
export function adminSecretName({ metadata, spec }: Project): string {
  return spec.adminSecret ?? namesOf(metadata.name).admin
}

/** Everything that a pod reads at its start, but no secrets: those are files of Secrets. */
export function files(jenkins: Project): Desired<typeof ConfigMap> {
  const { name } = jenkins.metadata
  return {
    metadata: { name: namesOf(name).files, labels: { [jenkinsLabel]: name } },
    data: {
      // Every JSON document is YAML.
      'jenkins.yaml': `${JSON.stringify(configuration(jenkins), undefined, 2)}\n`,
      'plugins.txt': plugins(jenkins),
      ...jobFiles(jenkins.spec.jobs),
    },
  }
}

/**
 * The configuration for the plug-in "configuration as code": the author's, on top of our defaults.
 * `${admin-password}` is the content of the file `admin-password` of `secretFiles`.
 */
export function configuration({ metadata: { name, namespace }, spec }: Project): Tree {
  const admin = { id: '${admin-username}', password: '${admin-password}' }
  const defaults = {
    jenkins: {
      systemMessage: `The Jenkins of ${namespace}/${name}. An operator configures it: changes of the configuration are lost at the next start.`,
      numExecutors: 2,
      securityRealm: { local: { allowsSignup: false, users: [admin] } },
      authorizationStrategy: { loggedInUsersCanDoAnything: { allowAnonymousRead: false } },
    },
    unclassified: { location: { url: urlOf(name, namespace) } },
    ...(spec.credentials.length === 0 ? {} : { credentials: systemCredentials(spec.credentials) }),
  }
  return merged(defaults, spec.configuration ?? {})
}

/** The address inside of the cluster. */
export function urlOf(name: string, namespace: string): string {
  return `http://${namesOf(name).service}.${namespace}.svc:${port}/`
}

function systemCredentials(credentials: readonly Credential[]): Tree {
  const list = credentials.map((one) => {
    const common = { scope: 'GLOBAL', id: one.id, description: one.description ?? '' }
    const value = (key: string) => `\${${one.id}-${key}}`
    switch (one.type) {
      case 'basic-auth': {
        const [username, password] = [value('username'), value('password')]
        return { usernamePassword: { ...common, username, password } }
      }
      case 'ssh-auth': {
        const privateKeySource = { directEntry: { privateKey: value('ssh-privatekey') } }
        return {
          basicSSHUserPrivateKey: { ...common, username: value('username'), privateKeySource },
        }
      }
      case 'text':
        return { string: { ...common, secret: value('text') } }
    }
  })
  return { system: { domainCredentials: [{ credentials: list }] } }
}

/** The keys of a Secret with credentials. */
const keysOf: Readonly<Record<Credential['type'], readonly string[]>> = {
  'basic-auth': ['username', 'password'],
  'ssh-auth': ['username', 'ssh-privatekey'],
  text: ['text'],
}

/** The files with secrets, as the sources of a projected volume: `ID-KEY` for each key. */
export function secretFiles(jenkins: Project): VolumeProjection[] {
  const files = (name: string, id: string, keys: readonly string[]): VolumeProjection => ({
    secret: { name, items: keys.map((key) => ({ key, path: `${id}-${key}` })) },
  })
  return [
    files(adminSecretName(jenkins), 'admin', keysOf['basic-auth']),
    ...jenkins.spec.credentials.map(({ id, type, secretName }) =>
      files(secretName, id, keysOf[type]),
    ),
  ]
}

/** `NAME:VERSION` for each plug-in; `latest` is the newest one that fits to the Jenkins. */
function plugins({ spec }: Project): string {
  const needed = [
    ...ownPlugins,
    ...(spec.credentials.length === 0 ? [] : credentialPlugins),
    ...(spec.jobs.some(({ pipeline }) => pipeline !== undefined) ? ['workflow-aggregator'] : []),
  ]
  const versions = new Map(needed.map((name) => [name, 'latest']))
  for (const { name, version } of spec.plugins) versions.set(name, version)
  return [...versions].map(([name, version]) => `${name}:${version}\n`).join('')
}

/** Objects are merged, everything else is replaced. */
function merged(under: Tree, over: Frozen<Tree>): Tree {
  const entries = Object.entries(over).map(([key, value]) => {
    const below = under[key]
    return [key, isTree(below) && isTree(value) ? merged(below, value) : value] as const
  })
  return { ...under, ...Object.fromEntries(entries) }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
