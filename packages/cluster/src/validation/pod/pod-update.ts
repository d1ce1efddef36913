/** The mutable fields of a pod's spec. */
import type { Toleration } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct, printStructLines, type GoStruct } from '../go/go-struct.ts'
import { checkImageSpaces } from '../container/container-rules.ts'
import { rangeProblem } from '../fields/name-rules.ts'
import type { Container, Spec } from './pod-options.ts'
import { sameValue } from '../fields/same-value.ts'
import { checkTolerations } from './check-tolerations.ts'
import { unifiedDiff } from '../go/unified-diff.ts'

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
]

/** The difference of two values as messages about immutable fields show it. */
export function structDiff(old: unknown, value: unknown, type: GoStruct): string {
  return unifiedDiff(printStructLines(old, type), printStructLines(value, type))
}

/** Checks an update of a spec through the pod itself, not a subresource. */
export function checkPodSpecUpdate(spec: Spec, old: Spec, at: FieldPath): void {
  if (!checkSameContainers(spec.containers, old.containers, at.child('containers'))) return
  const initAt = at.child('initContainers')
  if (!checkSameContainers(spec.initContainers, old.initContainers, initAt)) return
  if (!checkDeadline(spec, old, at.child('activeDeadlineSeconds'))) return
  checkAddedTolerations(spec, old, at.child('tolerations'))
  checkRemovedGates(spec, old, at.child('schedulingGates'))
  if (sameValue(spec, old)) return
  const kept = withoutAllowedChanges(spec, old, at)
  if (sameValue(kept, old)) return
  const words = `pod updates may not change fields other than ${changeable.join(',')}`
  at.forbidden(`${words}\n${structDiff(old, kept, 'PodSpec')}`)
}

function checkSameContainers(
  containers: readonly Container[] = [],
  old: readonly Container[] = [],
  at: FieldPath,
): boolean {
  if (containers.length !== old.length) {
    at.forbidden('pod updates may not add or remove containers')
    return false
  }
  for (const [index, container] of containers.entries()) {
    if ((container.image ?? '') === '') at.index(index).child('image').required()
    checkImageSpaces(container, at.index(index))
  }
  return true
}

function checkDeadline(spec: Spec, old: Spec, at: FieldPath): boolean {
  const seconds = spec.activeDeadlineSeconds
  const oldSeconds = old.activeDeadlineSeconds
  if (seconds === undefined) {
    if (oldSeconds !== undefined) {
      at.invalid(undefined, 'must not update from a positive integer to nil value')
    }
    return true
  }
  if (seconds < 0 || seconds > 2147483647) at.invalid(seconds, rangeProblem(0, 2147483647))
  else if (oldSeconds !== undefined && oldSeconds < seconds) {
    at.invalid(seconds, 'must be less than or equal to previous value')
  } else return true
  return false
}

function checkAddedTolerations(spec: Spec, old: Spec, at: FieldPath): void {
  const { tolerations = [] } = spec
  const kept = new Set(tolerations.map(tolerationText))
  for (const before of old.tolerations ?? []) {
    if (!kept.has(tolerationText(before))) {
      return at.forbidden('existing toleration can not be modified except its tolerationSeconds')
    }
  }
  checkTolerations(tolerations, at)
}

/** A toleration without its time, which may change. */
function tolerationText({ key, operator, value, effect }: Decoded<Toleration>): string {
  return JSON.stringify([key, operator, value, effect])
}

function checkRemovedGates(spec: Spec, old: Spec, at: FieldPath): void {
  const known = new Set((old.schedulingGates ?? []).map(({ name }) => name))
  for (const [index, { name = '' }] of (spec.schedulingGates ?? []).entries()) {
    if (known.has(name)) continue
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    at.index(index).child('name').forbidden(detail)
  }
}

/** The new spec with the old values of the mutable fields. */
function withoutAllowedChanges(spec: Spec, old: Spec, at: FieldPath): Spec {
  const withOldImages = (field: 'containers' | 'initContainers') =>
    spec[field]?.map((container, index) =>
      withField(container, 'image', old[field]?.[index]?.image),
    )
  let kept: Spec = { ...spec }
  kept = withField(kept, 'containers', withOldImages('containers'))
  kept = withField(kept, 'initContainers', withOldImages('initContainers'))
  kept = withField(kept, 'activeDeadlineSeconds', old.activeDeadlineSeconds)
  kept = withField(kept, 'schedulingGates', old.schedulingGates)
  kept = withField(kept, 'tolerations', old.tolerations)
  const grace = old.terminationGracePeriodSeconds ?? 0
  if (grace < 0 && kept.terminationGracePeriodSeconds === 1) {
    kept = withField(kept, 'terminationGracePeriodSeconds', grace)
  }
  return (old.schedulingGates ?? []).length > 0 ? withOldScheduling(kept, old, at) : kept
}

function withField<T extends object, K extends keyof T>(
  object: T,
  field: K,
  value: T[K] | undefined,
): T {
  const { [field]: _removed, ...rest } = object
  return (value === undefined ? rest : { ...rest, [field]: value }) as T
}

/** The scheduling constraints of a gated pod may still become stricter. */
function withOldScheduling(spec: Spec, old: Spec, at: FieldPath): Spec {
  let kept = spec
  if (!sameValue(spec.nodeSelector, old.nodeSelector)) {
    const { nodeSelector = {} } = spec
    const isNarrower = Object.entries(old.nodeSelector ?? {}).every(
      ([key, value]) => nodeSelector[key] === value,
    )
    if (!isNarrower) {
      const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
      at.child('nodeSelector').invalid(spec.nodeSelector, detail)
    }
    kept = withField(kept, 'nodeSelector', old.nodeSelector)
  }
  const before = old.affinity?.nodeAffinity
  if (sameValue(spec.affinity?.nodeAffinity, before)) return kept
  checkNarrowerAffinity(spec, old, at.child('affinity', 'nodeAffinity'))
  const affinity = withField(kept.affinity ?? {}, 'nodeAffinity', before)
  const isAffinityEmpty = Object.keys(affinity).length === 0 && old.affinity === undefined
  return withField(kept, 'affinity', isAffinityEmpty ? undefined : affinity)
}

function checkNarrowerAffinity(spec: Spec, old: Spec, at: FieldPath): void {
  const field = 'requiredDuringSchedulingIgnoredDuringExecution'
  const oldRequired = old.affinity?.nodeAffinity?.[field]
  if (oldRequired === undefined) return
  const oldTerms = oldRequired.nodeSelectorTerms ?? []
  const terms = spec.affinity?.nodeAffinity?.[field]?.nodeSelectorTerms ?? []
  const place = at.child(field, 'nodeSelectorTerms')
  if (oldTerms.length > 0 && oldTerms.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    const printed = terms.length === 0 ? 'null' : printStruct(terms, 'NodeSelectorTerm')
    return place.invalidPrinted(printed, detail)
  }
  for (const [index, oldTerm] of oldTerms.entries()) {
    const term = terms[index] ?? {}
    const count = (value: typeof term) =>
      (value.matchExpressions?.length ?? 0) + (value.matchFields?.length ?? 0)
    const startsWith = (field: 'matchExpressions' | 'matchFields') => {
      const before = oldTerm[field] ?? []
      return sameValue((term[field] ?? []).slice(0, before.length), before)
    }
    const isOpened = count(oldTerm) === 0 && count(term) > 0
    if (!isOpened && startsWith('matchExpressions') && startsWith('matchFields')) continue
    const detail = 'only additions are allowed (no mutations or deletions)'
    place.index(index).invalidPrinted(printStruct(term, 'NodeSelectorTerm'), detail)
  }
}

/** Ephemeral containers can be added, but neither changed nor removed. */
export function checkEphemeralUpdate(spec: Spec, old: Spec, at: FieldPath): void {
  const place = at.child('ephemeralContainers')
  for (const before of old.ephemeralContainers ?? []) {
    const name = before.name ?? ''
    const after = spec.ephemeralContainers?.findLast((container) => container.name === name)
    if (after === undefined) {
      place.forbidden(`existing ephemeral containers "${name}" may not be removed\n`)
    } else if (!sameValue(before, after)) {
      const diff = structDiff(before, after, 'EphemeralContainer')
      place.forbidden(`existing ephemeral containers "${name}" may not be changed\n${diff}`)
    }
  }
}
