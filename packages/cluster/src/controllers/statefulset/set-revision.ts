import { canonicalJson } from '../canonical-json.ts'
import { safeEncoded } from '../template-hash.ts'
import type { PodObject } from '../pods/pod-state.ts'
import { hasSameData, revisionData, type RevisionObject } from '../revisions/template-revision.ts'
import { revisionLabel, type StatefulSetObject } from './stateful-pod.ts'

const hashLabel = 'controller.kubernetes.io/hash'
/** The name is cut so that name and hash together are a valid name. */
const nameMax = 223

/** A new revision of the set's template. */
export function newRevision(set: StatefulSetObject, revision: number, collisionCount: number) {
  const data = revisionData(set)
  const hash = hashOf(data, collisionCount)
  const { name, annotations } = set.metadata
  return {
    metadata: {
      name: `${name.slice(0, nameMax)}-${hash}`,
      labels: { ...set.spec.template.metadata?.labels, [hashLabel]: hash },
      ...(annotations && { annotations }),
    },
    data,
    revision,
  }
}

/** The set with the template of a revision. */
export function withRevision(set: StatefulSetObject, { data }: RevisionObject): StatefulSetObject {
  const kept = data as { spec?: { template?: Record<string, unknown> } } | undefined
  const { $patch: _, ...template } = kept?.spec?.template ?? {}
  return { ...set, spec: { ...set.spec, template } }
}

/** The newest revision with the set's template. */
export function equalRevision(
  set: StatefulSetObject,
  ordered: readonly RevisionObject[],
): RevisionObject | undefined {
  const desired = { data: revisionData(set) }
  return ordered.findLast((revision) => hasSameData(revision, desired))
}

/** The unused revisions above the history limit, oldest first. */
export function revisionsToDelete(
  { spec }: StatefulSetObject,
  ordered: readonly RevisionObject[],
  inUse: { readonly names: readonly string[]; readonly pods: readonly PodObject[] },
): RevisionObject[] {
  const live = new Set([
    ...inUse.names,
    ...inUse.pods.map(({ metadata }) => metadata.labels?.[revisionLabel]),
  ])
  const unused = ordered.filter(({ metadata }) => !live.has(metadata.name))
  const { revisionHistoryLimit: limit = 10 } = spec
  return limit < 0 ? [] : unused.slice(0, Math.max(0, unused.length - limit))
}

/**
 * The hash of a template, with the value that a real cluster computes: FNV-1 over the patch as Go
 * encodes it.
 */
function hashOf(data: object, collisionCount: number): string {
  const text = `${goEscaped(canonicalJson(data))}${collisionCount}`
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash, 0x01000193) ^ byte
  return safeEncoded(String(hash >>> 0))
}

/** Go's JSON encoder escapes characters that are special in HTML. */
function goEscaped(json: string): string {
  const escape = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(/[<>&\u2028\u2029]/g, escape)
}
