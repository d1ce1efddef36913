import * as builtin from 'setpoint/kinds'
import { isMap } from './is-map.ts'

/** A kind of objects of a chart. */
export interface ChartKind {
  readonly apiVersion: string
  readonly kind: string
  /** Its name in `setpoint/kinds`; other kinds have none. */
  readonly builtin?: string
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  /**
   * Whether the operator watches it from the beginning. A kind that only the text of a template has
   * might not exist in the cluster.
   */
  readonly isUsed: boolean
}

/** What a chart says about its kinds. */
interface ChartTexts {
  /** The objects that it renders with its default values. */
  readonly rendered: readonly unknown[]
  readonly templates: readonly string[]
  /** The objects in its folder `crds`. */
  readonly crds: readonly unknown[]
}

/** The kinds of a chart, in the order in which helm creates their objects. */
export function chartKinds({ rendered, templates, crds }: ChartTexts): ChartKind[] {
  const defined = crds.flatMap(definedKinds)
  const found = new Map<string, ChartKind>()
  const add = (one: Named | undefined, isRendered: boolean): void => {
    if (one === undefined || found.has(nameOf(one)) || one.kind === 'CustomResourceDefinition')
      return
    const own = defined.find((kind) => nameOf(kind) === nameOf(one))
    const known = builtinKind(one) ?? own ?? { ...one, ...guessed(one), isUsed: isRendered }
    found.set(nameOf(one), known)
  }
  for (const object of rendered) add(named(object), true)
  for (const text of templates) for (const one of kindsInText(text)) add(one, false)
  return [...found.values()].sort(
    (a, b) => orderOf(a) - orderOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1),
  )
}

interface Named {
  readonly apiVersion: string
  readonly kind: string
}

const nameOf = ({ apiVersion, kind }: Named): string => `${apiVersion} ${kind}`

function named(object: unknown): Named | undefined {
  if (!isMap(object)) return undefined
  const { apiVersion, kind } = object
  return typeof apiVersion === 'string' && typeof kind === 'string'
    ? { apiVersion, kind }
    : undefined
}

function builtinKind(wanted: Named): ChartKind | undefined {
  const found = builtins().find((one) => nameOf(one) === nameOf(wanted))
  return found === undefined ? undefined : { ...found, isUsed: true }
}

/** The kinds of `setpoint/kinds`. */
function builtins(): (Omit<ChartKind, 'isUsed' | 'builtin'> & { readonly builtin: string })[] {
  return Object.entries(builtin).flatMap(([name, value]) => {
    if (!('apiVersion' in value) || !('plural' in value)) return []
    const { apiVersion, kind, plural, scope } = value
    return [{ apiVersion, kind, plural, scope, builtin: name }]
  })
}

/**
 * The kinds that the text of a template names at the beginning of lines. If its version depends on
 * values, it is the version of a built-in kind.
 */
function kindsInText(text: string): Named[] {
  return text.split(/^---/m).flatMap((part) => {
    const kind = /^kind:\s*["']?([A-Z]\w*)["']?\s*$/m.exec(part)?.[1]
    if (kind === undefined || part.includes('helm.sh/hook:')) return []
    const apiVersion = /^apiVersion:\s*["']?([a-z0-9][\w./-]*)["']?\s*$/m.exec(part)?.[1]
    if (apiVersion !== undefined) return [{ apiVersion, kind }]
    return builtins().filter((one) => one.builtin === kind)
  })
}

/** The kinds that a CRD defines. */
function definedKinds(object: unknown): ChartKind[] {
  const spec = isMap(object) && object['kind'] === 'CustomResourceDefinition' ? object['spec'] : {}
  if (!isMap(spec) || !isMap(spec['names']) || !Array.isArray(spec['versions'])) return []
  const { kind, plural } = spec['names']
  const scope = spec['scope'] === 'Cluster' ? 'Cluster' : 'Namespaced'
  return spec['versions'].filter(isMap).map(({ name }) => ({
    apiVersion: `${String(spec['group'])}/${String(name)}`,
    kind: String(kind),
    plural: String(plural),
    scope,
    isUsed: true,
  }))
}

/** What most kinds have; the author checks it. */
function guessed({ kind }: Named): Pick<ChartKind, 'plural' | 'scope'> {
  const word = kind.toLowerCase()
  const plural = /[^aeiou]y$/.test(word)
    ? word.replace(/y$/, 'ies')
    : /(s|x|ch|sh)$/.test(word)
      ? `${word}es`
      : `${word}s`
  return { plural, scope: word.startsWith('cluster') ? 'Cluster' : 'Namespaced' }
}

/** What other objects need is created first, as helm does. */
const order = [
  'Namespace',
  'PriorityClass',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Pod',
  'Deployment',
  'StatefulSet',
  'HorizontalPodAutoscaler',
  'Job',
  'CronJob',
  'Ingress',
]

function orderOf({ kind }: Named): number {
  const index = order.indexOf(kind)
  return index === -1 ? order.length : index
}
