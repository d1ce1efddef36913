import { asSelector, type LabelSelector } from '../kinds/label-selector.ts'
import type { Kind } from '../kinds/kind.ts'
import type { LabelsOption } from './admission-options.ts'

/** What decides which namespaces are reviewed. */
interface ReviewedNamespaces {
  readonly kind: Kind
  /** The option of the function or the policy. */
  readonly selector: LabelsOption | undefined
  /** Whether the program defines the kind. */
  readonly isOwnKind: boolean
  /** The namespaces to which the operator is restricted. */
  readonly namespaces: readonly string[] | undefined
  /** The namespace of the operator, if it is known. */
  readonly ownNamespace: string | undefined
}

/** The label that every namespace has. */
const nameLabel = 'kubernetes.io/metadata.name'

/**
 * The namespaces to review. Kinds that the program does not define are not reviewed in
 * `kube-system` and in the namespace of the operator: a review that fails would otherwise prevent
 * the start of its own pods, and the repair of the cluster.
 */
export function reviewedNamespaces(reviewed: ReviewedNamespaces): LabelSelector | undefined {
  const { kind, selector, isOwnKind, namespaces, ownNamespace } = reviewed
  if (kind.scope === 'Cluster' && kind.kind !== 'Namespace') return undefined
  const { matchLabels, matchExpressions = [] } = selector === undefined ? {} : asSelector(selector)
  const system = ['kube-system', ...(ownNamespace === undefined ? [] : [ownNamespace])]
  const expressions = [
    ...matchExpressions,
    ...(namespaces === undefined
      ? []
      : [{ key: nameLabel, operator: 'In' as const, values: [...namespaces].sort() }]),
    ...(isOwnKind
      ? []
      : [{ key: nameLabel, operator: 'NotIn' as const, values: [...new Set(system)].sort() }]),
  ]
  if (selector === undefined && expressions.length === 0) return undefined
  return {
    ...(matchLabels === undefined ? {} : { matchLabels }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  }
}
