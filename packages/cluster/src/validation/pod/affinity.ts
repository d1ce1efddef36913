import type { LabelSelector } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkLabelSelector, checkQualifiedName } from '../fields/check-label-selector.ts'
import { labelProblems } from '../fields/name-rules.ts'
import { checkNodeSelector, checkNodeSelectorTerm } from '../core/check-node-selector.ts'
import type { PodOptions, Spec } from './pod-options.ts'

type Affinity = NonNullable<Spec['affinity']>
type PodTerm = NonNullable<
  NonNullable<Affinity['podAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>[number]

const requiredField = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredField = 'preferredDuringSchedulingIgnoredDuringExecution'

/** Checks node affinity, pod affinity and pod anti-affinity. */
export function checkAffinity(affinity: Affinity, at: FieldPath, options: PodOptions): void {
  const { nodeAffinity } = affinity
  if (nodeAffinity !== undefined) {
    checkNodeAffinity(nodeAffinity, at.child('nodeAffinity'), options)
  }
  for (const field of ['podAffinity', 'podAntiAffinity'] as const) {
    const part = affinity[field]
    for (const [index, term] of (part?.[requiredField] ?? []).entries()) {
      checkPodTerm(term, at.child(field, requiredField).index(index), options)
    }
    for (const [index, { weight, podAffinityTerm }] of (part?.[preferredField] ?? []).entries()) {
      const place = at.child(field, preferredField).index(index)
      checkWeight(weight, place)
      checkPodTerm(podAffinityTerm ?? {}, place.child('podAffinityTerm'), options)
    }
  }
}

function checkWeight(weight = 0, at: FieldPath): void {
  if (weight < 1 || weight > 100) at.child('weight').invalid(weight, 'must be in the range 1-100')
}

function checkNodeAffinity(
  affinity: NonNullable<Affinity['nodeAffinity']>,
  at: FieldPath,
  options: PodOptions,
): void {
  const { [requiredField]: required, [preferredField]: preferred = [] } = affinity
  if (required !== undefined) {
    const allowAnyValue = options.allowInvalidNodeAffinityValues ?? false
    checkNodeSelector(required, at.child(requiredField), allowAnyValue)
  }
  for (const [index, { weight, preference }] of preferred.entries()) {
    const place = at.child(preferredField).index(index)
    checkWeight(weight, place)
    checkNodeSelectorTerm(preference ?? {}, place.child('preference'), true)
  }
}

function checkPodTerm(term: PodTerm, at: FieldPath, options: PodOptions): void {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term
  const selectorOptions = { allowInvalidValues: options.allowInvalidSelectorValues ?? false }
  checkLabelSelector(labelSelector, at.child('labelSelector'), selectorOptions)
  checkLabelSelector(namespaceSelector, at.child('namespaceSelector'), selectorOptions)
  for (const name of namespaces) at.child('namespace').invalidEach(name, labelProblems(name))
  checkLabelKeys(term, at)
  if (topologyKey === '') at.child('topologyKey').required('can not be empty')
  checkQualifiedName(topologyKey, at.child('topologyKey'))
}

/** A selector of pods with values from the labels of the pod itself. */
interface LabelKeys {
  readonly labelSelector?: Decoded<LabelSelector>
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}

/** Checks matchLabelKeys and mismatchLabelKeys; the selector must not have the same keys. */
export function checkLabelKeys(keys: LabelKeys, at: FieldPath): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = keys
  for (const [field, list] of Object.entries({ matchLabelKeys, mismatchLabelKeys })) {
    if (list.length === 0) continue
    if (labelSelector === undefined) {
      at.child(field).forbidden('must not be specified when labelSelector is not set')
      continue
    }
    for (const [index, key] of list.entries()) checkQualifiedName(key, at.child(field).index(index))
  }
  const lastIndexes = new Map(matchLabelKeys.map((key, index) => [key, index]))
  const excluded = new Set(mismatchLabelKeys)
  const fixed = new Set(Object.keys(labelSelector?.matchLabels ?? {}))
  for (const { key = '' } of labelSelector?.matchExpressions ?? []) {
    const index = lastIndexes.get(key)
    if (index !== undefined && fixed.has(key)) {
      at.index(index).invalid(key, 'exists in both matchLabelKeys and labelSelector')
    }
    fixed.add(key)
  }
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!excluded.has(key)) continue
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys'
    at.child('matchLabelKeys').index(index).invalid(key, detail)
  }
}
