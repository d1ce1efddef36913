import { BuiltinBehaviour } from './resources/builtin-behaviour.ts'
import type { ServedResource } from './resources/served-resource.ts'

/** What a body is read as. */
export type DecodeTarget = Pick<
  ServedResource,
  'group' | 'apiVersion' | 'kind' | 'isCustom' | 'behaviour'
> & {
  /** Further versions that mean the same. */
  readonly otherVersions?: readonly string[]
}

/**
 * A built-in kind that is no resource of its own: what is posted to a path of another one (a Binding to
 * a pod, a Scale to a deployment) is read like any object.
 */
export function typedTarget(
  { group, version, kind }: { group: string; version: string; kind: string },
  otherVersions: readonly string[] = [],
): DecodeTarget {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const identity = { group, version, apiVersion, kind, plural: '', namespaced: true }
  const behaviour = new BuiltinBehaviour(identity)
  return { group, apiVersion, kind, isCustom: false, behaviour, otherVersions }
}
