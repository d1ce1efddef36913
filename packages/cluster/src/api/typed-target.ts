import { BuiltinStrategy } from './resources/builtin-strategy.ts'
import type { ServedResource } from './resources/served-resource.ts'

/** The kind that a body is decoded as. */
export type DecodeTarget = Pick<
  ServedResource,
  'group' | 'apiVersion' | 'kind' | 'isCustom' | 'strategy'
> & {
  /** Other versions with the same fields. */
  readonly otherVersions?: readonly string[]
  /** A body or a patched object without a version has this one. */
  readonly isOnlyVersion?: true
  /** The message for every body that cannot be decoded, if it is always the same. */
  readonly refusal?: string
}

/**
 * A built-in kind that is not a resource: an object that is posted to a subresource (a Binding of a
 * pod, a Scale of a deployment) is decoded like any object.
 */
export function typedTarget(
  { group, version, kind }: { group: string; version: string; kind: string },
  otherVersions: readonly string[] = [],
): DecodeTarget {
  const apiVersion = group === '' ? version : `${group}/${version}`
  const identity = { group, version, apiVersion, kind, plural: '', namespaced: true }
  const strategy = new BuiltinStrategy(identity)
  return { group, apiVersion, kind, isCustom: false, strategy, otherVersions }
}
