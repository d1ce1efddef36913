import { SetpointError } from '../errors/index.ts'
import type { Kind, Scope } from './kind.ts'
import type { MessageTable } from '../protobuf/message-table.ts'

/** The common part of all API objects. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata: { name?: string; namespace?: string }
}

/**
 * The scope by the metadata type: `StoredMetadata<'Namespaced'>` has a namespace, the other does
 * not.
 */
export type ScopeOf<T extends ApiObject> = T['metadata'] extends { namespace: string }
  ? 'Namespaced'
  : 'Cluster'

/** A kind whose names are literal types, so that they can be compared and switched on. */
export interface ExactKind<out T extends ApiObject> extends Kind<T> {
  readonly apiVersion: T['apiVersion']
  readonly kind: T['kind']
}

/** The identity of a kind as it is written; group and version follow from `apiVersion`. */
export interface KindIdentity<T extends ApiObject> {
  readonly apiVersion: T['apiVersion']
  readonly kind: T['kind']
  readonly plural: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly scope: ScopeOf<T>
  readonly subresources?: readonly string[]
  readonly verbs?: readonly string[]
  readonly protobuf?: MessageTable | undefined
}

/**
 * Makes the value for a kind that exists in the cluster but was not defined here, from the type of
 * its objects. `typesFromCrd` writes such calls; write one by hand when you need a few fields only:
 *
 *     interface Certificate {
 *       apiVersion: 'cert-manager.io/v1'
 *       kind: 'Certificate'
 *       metadata: StoredMetadata<'Namespaced'>
 *       spec: { secretName: string }
 *     }
 *     const Certificate = defineKind<Certificate>({
 *       apiVersion: 'cert-manager.io/v1',
 *       kind: 'Certificate',
 *       plural: 'certificates',
 *       scope: 'Namespaced',
 *       subresources: ['status'],
 *     })
 */
export function defineKind<T extends ApiObject>(identity: KindIdentity<T>): ExactKind<T> {
  const scope: Scope = identity.scope
  checkPath(identity)
  return { ...groupAndVersionOf(identity), subresources: [], ...identity, scope }
}

/**
 * Adds functions to a kind's value, such as `Deployment.isRolledOut`. A function instead of a
 * spread, because bundlers can drop an unused pure call but must keep a spread.
 */
export function withHelpers<K extends Kind, const H extends object>(kind: K, helpers: H): K & H {
  return { ...kind, ...helpers }
}

/** Plural and scope determine every URL, and callers without types may pass wrong ones. */
function checkPath(identity: { kind: string; plural: unknown; scope: unknown }): void {
  const { kind, plural, scope } = identity
  const isPlural = typeof plural === 'string' && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(plural)
  if (isPlural && (scope === 'Namespaced' || scope === 'Cluster')) return
  const wrong = isPlural ? `scope ${JSON.stringify(scope)}` : `plural ${JSON.stringify(plural)}`
  throw new SetpointError('DEFINITION_INVALID', `kind ${kind} has ${wrong}, which is not valid`, {
    hint: 'kubectl api-resources lists the plural in lower case; the scope is Namespaced or Cluster',
  })
}

function groupAndVersionOf({ apiVersion, kind }: { apiVersion: string; kind: string }): {
  group: string
  version: string
} {
  const [first, second, ...rest] = apiVersion.split('/')
  if (first === undefined || first === '' || second === '' || rest.length > 0) {
    throw new SetpointError(
      'DEFINITION_INVALID',
      `kind ${kind} has apiVersion ${JSON.stringify(apiVersion)}, which is neither "version" nor "group/version"`,
      { hint: 'write it as the first line of a manifest does, e.g. "cert-manager.io/v1"' },
    )
  }
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}
