import type { LabelSelector } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { labelValueProblems } from '../fields/name-rules.ts'
import type { NodeSelectorTerm } from './check-node-selector.ts'

const oldLabels = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  [
    'failure-domain.beta.kubernetes.io/region',
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  ],
  [
    'failure-domain.beta.kubernetes.io/zone',
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  ],
  [
    'beta.kubernetes.io/instance-type',
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  ],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  [
    'scheduler.alpha.kubernetes.io/preferAvoidPods',
    'deprecated since v1.22; use Taints and Tolerations instead',
  ],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
])

/** Warns about a deprecated node label, at a place that is about this label only. */
export function oldLabelWarnings(label: string, at: FieldPath): string[] {
  const message = oldLabels.get(label)
  return message === undefined ? [] : [`${at.path}: ${message}`]
}

/** Warns about a deprecated node label and names it, at a place that could have any label. */
export function namedLabelWarnings(label: string, at: FieldPath): string[] {
  const message = oldLabels.get(label)
  return message === undefined ? [] : [`${at.path}: ${label} is ${message}`]
}

/** Deprecated labels in one term of node affinity; preferred terms may also have invalid values. */
export function nodeTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  at: FieldPath,
  checksValues: boolean,
): string[] {
  return matchExpressions.flatMap(({ key = '', values = [] }, index) => {
    const place = at.child('matchExpressions').index(index)
    const checked = checksValues ? values : []
    return [
      ...namedLabelWarnings(key, place.child('key')),
      ...checked.flatMap((value, number) =>
        labelValueProblems(value).map(
          (problem) =>
            `${place.child('values').index(number).path}: ${value} is invalid, ${problem}`,
        ),
      ),
    ]
  })
}

/** Deprecated labels in a label selector of nodes. */
export function nodeSelectorWarnings(
  { matchExpressions = [], matchLabels = {} }: Decoded<LabelSelector>,
  at: FieldPath,
): string[] {
  return [
    ...matchExpressions.flatMap(({ key = '' }, index) =>
      namedLabelWarnings(key, at.child('matchExpressions').index(index).child('key')),
    ),
    ...Object.keys(matchLabels).flatMap((label) =>
      oldLabelWarnings(label, at.child('matchLabels', label)),
    ),
  ]
}
