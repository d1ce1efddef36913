import type { Frozen } from 'setpoint'
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from 'setpoint/kinds'

export type NodeView = Frozen<Node>

type Term = Frozen<NodeSelectorTerm>
type Requirement = Frozen<NodeSelectorRequirement>

/** The node requirements of a pod. */
interface NodeRequirements {
  readonly spec: Pick<Frozen<PodSpec>, 'nodeSelector' | 'affinity'>
}

/** Whether a node satisfies the pod's nodeSelector and required node affinity. */
export function satisfiesNodeRequirements({ spec }: NodeRequirements, node: NodeView): boolean {
  const labels = node.metadata.labels ?? {}
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return (
    Object.entries(spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value) &&
    (required === undefined || matchesAnyTerm(required.nodeSelectorTerms, node))
  )
}

/** Whether a node satisfies one of several terms. */
export function matchesAnyTerm(terms: readonly Term[], node: NodeView): boolean {
  return terms.some((term) => matchesTerm(term, node))
}

/** Whether a node satisfies a term. No node satisfies an empty term. */
export function matchesTerm(term: Term, { metadata }: NodeView): boolean {
  const { matchExpressions = [], matchFields = [] } = term
  if (matchExpressions.length + matchFields.length === 0) return false
  const labels = metadata.labels ?? {}
  const fields: Readonly<Record<string, string>> = { 'metadata.name': metadata.name }
  return (
    matchExpressions.every((requirement) => isMet(requirement, labels)) &&
    matchFields.every((requirement) => isMet(requirement, fields))
  )
}

function isMet(
  { key, operator, values = [] }: Requirement,
  labels: Readonly<Record<string, string>>,
) {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  if (operator === 'NotIn') return value === undefined || !values.includes(value)
  if (value === undefined) return false
  if (operator === 'In') return values.includes(value)
  const [left, right] = [Number.parseInt(value, 10), Number.parseInt(values[0] ?? '', 10)]
  return operator === 'Gt' ? left > right : left < right
}
