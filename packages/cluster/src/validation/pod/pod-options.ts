import type { PodSpec } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { Metadata } from '../object-meta.ts'
import { labelValueProblems } from '../fields/name-rules.ts'
import { isHugePages, isWholePages } from '../fields/resource-names.ts'

/** A pod's spec after decoding. */
export type Spec = Decoded<PodSpec>
/** One of its containers. */
export type Container = NonNullable<Spec['containers']>[number]

/**
 * Checks that are relaxed because a stored object already has such values, and differences by kind.
 */
export interface PodOptions {
  readonly isPod?: boolean
  readonly allowInvalidDeletionCost?: boolean
  readonly allowInvalidSelectorValues?: boolean
  readonly allowInvalidNodeAffinityValues?: boolean
  readonly allowInvalidSpreadSelector?: boolean
  readonly allowPartialPages?: boolean
  readonly allowHostSysctls?: boolean
}

/** Finds values of the stored object that new rules would refuse. */
export function podOptionsFor(old: Spec | undefined, oldMetadata?: Metadata): PodOptions {
  if (old === undefined) return {}
  const affinity = old.affinity
  const terms = [
    ...(affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]
  const nodeTerms =
    affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  return {
    allowInvalidDeletionCost: !isDeletionCost(oldMetadata?.annotations?.[deletionCostKey]),
    allowInvalidSelectorValues: terms.some((term) => hasBadValues(term.labelSelector)),
    allowInvalidNodeAffinityValues: nodeTerms.some(hasBadValues),
    allowInvalidSpreadSelector: (old.topologySpreadConstraints ?? []).some(
      ({ labelSelector }) =>
        hasBadValues(labelSelector) ||
        (labelSelector?.matchExpressions ?? []).some(
          ({ operator = '' }) => !['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator),
        ),
    ),
    allowPartialPages: containersOf(old).some(({ resources }) =>
      Object.entries({ ...resources?.limits, ...resources?.requests }).some(
        ([name, amount = '0']) => isHugePages(name) && !isWholePages(name, amount),
      ),
    ),
  }
}

interface Expressions {
  readonly matchExpressions?: readonly { readonly values?: readonly string[] }[]
}

function hasBadValues(selector: Expressions | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values = [] }) =>
    values.some((value) => labelValueProblems(value).length > 0),
  )
}

/** Orders the pods of a ReplicaSet for deletion. */
export const deletionCostKey = 'controller.kubernetes.io/pod-deletion-cost'

/** Whether the annotation is absent or a canonical 32-bit number. */
export function isDeletionCost(text: string | undefined): boolean {
  if (text === undefined) return true
  if (!/^(0|-?[1-9][0-9]*)$/.test(text)) return false
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31
}

/** All containers in the order of the server. */
function containersOf(spec: Spec): Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as readonly Container[]),
  ]
}
