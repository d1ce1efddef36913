import type { JsonObject } from 'setpoint/schema'
import { metadataOf, nameOf } from '../../object/index.ts'
import { invalidObject } from '../../status/index.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { refusal, type Plugin } from '../plugin.ts'
import type { CheckedPod, Violation } from './checked-pod.ts'
import {
  compareLevels,
  levelVersionText,
  policyOf,
  type LevelVersion,
  type Policy,
} from './policy.ts'
import { violationsOf } from './violations.ts'

const templates: Readonly<Record<string, readonly string[]>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
}

const ignoredSubresources = new Set(['binding', 'eviction', 'status'])

/** Enforces the level of the namespace's labels for pods. */
export function podSecurity(cluster: ClusterReader): Plugin {
  const policyFor = (namespace: string): Policy => {
    const found = cluster.get('/namespaces', namespace)
    return policyOf(metadataOf(found ?? {}).labels ?? {})
  }
  return {
    name: 'PodSecurity',
    validate(attributes) {
      const { resource, subresource, operation } = attributes
      if (operation === 'DELETE' || operation === 'CONNECT') return
      const bucket = `${resource.group}/${resource.plural}`
      if (bucket === '/pods') {
        if (!ignoredSubresources.has(subresource)) checkPod(attributes, policyFor)
      } else if (subresource !== '') return
      else if (bucket === '/namespaces') checkNamespace(attributes, cluster)
      else if (Object.hasOwn(templates, bucket)) {
        reportTemplate(attributes, templates[bucket] ?? [], policyFor)
      }
    },
  }
}

function checkedPod(pod: JsonObject): CheckedPod {
  return {
    annotations: (pod['metadata'] as CheckedPod | undefined)?.annotations ?? {},
    spec: (pod['spec'] ?? {}) as unknown as CheckedPod['spec'],
  }
}

function described(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`))
    .join(', ')
}

function checkPod(attributes: AdmissionAttributes, policyFor: (namespace: string) => Policy): void {
  const { object, old } = attributes
  const policy = policyFor(attributes.namespace)
  const { enforce, audit, warn } = policy
  const isOpen = [enforce, audit, warn].every(({ level }) => level === 'privileged')
  if (!isOpen && old !== undefined && !isSignificant(object, old)) return
  annotate(attributes, 'enforce-policy', levelVersionText(isOpen ? openLevel : enforce))
  if (isOpen) return
  const pod = checkedPod(object)
  const violations = violationsOf(enforce, pod)
  annotateViolations(attributes, policy, pod)
  if (violations.length > 0) {
    const why = `violates PodSecurity "${levelVersionText(enforce)}": ${described(violations)}`
    throw refusal(attributes, why)
  }
  warnAbout(attributes, warn, pod)
}

const openLevel: LevelVersion = { level: 'privileged', minor: Infinity }

function annotate(attributes: AdmissionAttributes, key: string, value: string): void {
  attributes.annotate?.(`pod-security.kubernetes.io/${key}`, value)
}

function annotateViolations(
  attributes: AdmissionAttributes,
  { audit, errors }: Policy,
  pod: CheckedPod,
): void {
  if (attributes.annotate === undefined) return
  if (errors.length > 0) {
    const texts = errors.map(({ field, message }) => `${field}: ${message}`)
    const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
    annotate(attributes, 'error', `Failed to parse policy: ${all}`)
  }
  const violation = violationText(audit, pod)
  if (violation !== undefined) annotate(attributes, 'audit-violations', violation)
}

function warnAbout(attributes: AdmissionAttributes, level: LevelVersion, pod: CheckedPod): void {
  const violation = violationText(level, pod)
  if (violation !== undefined) attributes.warn(violation)
}

function violationText(level: LevelVersion, pod: CheckedPod): string | undefined {
  const violations = violationsOf(level, pod)
  if (violations.length === 0) return undefined
  return `would violate PodSecurity "${levelVersionText(level)}": ${described(violations)}`
}

/** Pod templates are not refused: their pods will be. */
function reportTemplate(
  attributes: AdmissionAttributes,
  path: readonly string[],
  policyFor: (namespace: string) => Policy,
): void {
  const policy = policyFor(attributes.namespace)
  const { audit, warn } = policy
  if (audit.level === 'privileged' && warn.level === 'privileged') return
  let template: JsonObject | undefined = attributes.object
  for (const field of path) template = template?.[field] as JsonObject | undefined
  if (template === undefined) return
  const pod = checkedPod(template)
  annotateViolations(attributes, policy, pod)
  warnAbout(attributes, warn, pod)
}

interface Images {
  readonly name?: string
  readonly image?: string
}

/** An update of a running pod is checked only when an image changes. */
function isSignificant(object: JsonObject, old: JsonObject): boolean {
  const [now, before] = [checkedPod(object).spec, checkedPod(old).spec]
  const differ = (a: readonly Images[] = [], b: readonly Images[] = []) =>
    a.length !== b.length || a.some(({ image }, index) => image !== b[index]?.image)
  if (differ(now.containers, before.containers)) return true
  if (differ(now.initContainers, before.initContainers)) return true
  return (now.ephemeralContainers ?? []).some(
    ({ name, image }) =>
      before.ephemeralContainers?.find((other) => other.name === name)?.image !== image,
  )
}

function checkNamespace(attributes: AdmissionAttributes, cluster: ClusterReader): void {
  const { object, old, resource, name } = attributes
  const policy = policyOf(metadataOf(object).labels ?? {})
  const before = policyOf(metadataOf(old ?? {}).labels ?? {})
  const isOldError =
    old !== undefined && JSON.stringify(policy.errors) === JSON.stringify(before.errors)
  if (policy.errors.length > 0 && !isOldError) {
    throw invalidObject({ group: '', kind: resource.kind }, name, policy.errors)
  }
  const { enforce } = policy
  if (old === undefined || enforce.level === 'privileged') return
  const isSameVersion = enforce.minor === before.enforce.minor
  if (isSameVersion && compareLevels(enforce.level, before.enforce.level) <= 0) return
  for (const warning of podWarnings(enforce, name, cluster)) attributes.warn(warning)
}

const podsMax = 3000

/** Warnings about existing pods that violate a new level. */
function podWarnings(level: LevelVersion, namespace: string, cluster: ClusterReader): string[] {
  const pods = prioritized([...cluster.list('/pods', `${namespace}/`)])
  const names = new Map<string, string[]>()
  for (const pod of pods.slice(0, podsMax)) {
    const violations = violationsOf(level, checkedPod(pod))
    if (violations.length === 0) continue
    const reasons = violations.map(({ reason }) => reason).join(', ')
    names.set(reasons, [...(names.get(reasons) ?? []), nameOf(pod)])
  }
  const lines = [...names].map(([reasons, [first = '', ...others]]) => {
    const least = others.reduce((a, b) => (b < a ? b : a), first)
    const noun = others.length === 1 ? 'pod' : 'pods'
    const more = others.length === 0 ? '' : ` (and ${others.length} other ${noun})`
    return `${least}${more}: ${reasons}`
  })
  const partly = `new PodSecurity enforce level only checked against the first ${podsMax} of ${pods.length} existing pods`
  const found = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelVersionText(level)}"`
  return [
    ...(pods.length > podsMax ? [partly] : []),
    ...(lines.length > 0 ? [found] : []),
    ...lines.sort(),
  ]
}

/** One pod of each controller first, because the others are like it. */
function prioritized(pods: readonly JsonObject[]): JsonObject[] {
  const seen = new Set<string>()
  const first: JsonObject[] = []
  const others: JsonObject[] = []
  for (const pod of pods) {
    const owner = metadataOf(pod).ownerReferences?.find(({ controller }) => controller === true)
    const isKnown = owner !== undefined && seen.has(owner.uid)
    if (owner !== undefined) seen.add(owner.uid)
    ;(isKnown ? others : first).push(pod)
  }
  return [...first, ...others]
}
