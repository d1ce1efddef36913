import type { PersistentVolumeClaim, StatefulSet } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  leadingNumber,
} from '../fields/int-or-percent.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { isReadableSelector } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelProblems } from '../fields/name-rules.ts'
import { checkAnnotations } from '../object-meta.ts'
import { checkLabels } from '../fields/check-label-selector.ts'
import { checkNonnegative, checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkClaimSpec } from '../core/persistent-volume-claim-spec.ts'
import { checkPodAnnotations } from '../pod/pod-annotations.ts'
import { checkTemplate, templateOptionsOf, type Template } from '../pod/pod-template.ts'
import { checkNotDecremented, checkReplicaCounts } from './replica-counts.ts'
import { specRules } from './spec-rules.ts'
import { sameValue } from '../fields/same-value.ts'
import {
  checkRunsForever,
  checkTemplateMatches,
  checkWorkloadSelector,
} from './workload-selector.ts'

type Spec = NonNullable<Created<StatefulSet>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
  const { podManagementPolicy: policy = '', serviceName = '', selector, template = {} } = spec
  if (policy === '') at.child('podManagementPolicy').required()
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    at.child('podManagementPolicy').invalid(policy, "must be 'OrderedReady' or 'Parallel'")
  }
  checkUpdateStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'))
  checkRetention(spec, at.child('persistentVolumeClaimRetentionPolicy'))
  // Immutable fields are not checked again.
  if (old === undefined) {
    for (const [index, claim] of (spec.volumeClaimTemplates ?? []).entries()) {
      // A decoded quantity is text.
      const claimSpec = (claim.spec ?? {}) as Decoded<PersistentVolumeClaim['spec']>
      checkClaimSpec(claimSpec, at.child('volumeClaimTemplates').index(index).child('spec'))
    }
  }
  checkNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at)
  checkNonnegative(spec.ordinals?.start, at.child('ordinals.start'))
  if (old === undefined && serviceName !== '') {
    at.child('serviceName').invalidEach(serviceName, labelProblems(serviceName))
  }
  checkWorkloadSelector(selector, at.child('selector'), 'statefulset')
  if (isReadableSelector(selector)) checkPodTemplate(spec, at.child('template'), old)
  else {
    const printed = printStruct(selector, 'LabelSelector')
    at.child('selector').invalidPrinted(printed, '')
  }
  checkRunsForever(template, at.child('template'), 'StatefulSet')
  if (old !== undefined) checkUnchanged(spec, old, at)
}

/** The template with the volumes of the claims; names that the controller sets are not checked. */
function templateWithClaims(spec: Spec): Template {
  const { template = {}, volumeClaimTemplates = [] } = spec
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = template.spec ?? {}
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ''))
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = (podSpec.volumes ?? []).filter(({ name = '' }) => !names.has(name))
  const volumes = [...claims, ...others]
  return { ...template, spec: { ...podSpec, ...(volumes.length === 0 ? {} : { volumes }) } }
}

function checkPodTemplate(spec: Spec, at: FieldPath, old?: Spec): void {
  const template = templateWithClaims(spec)
  const options = templateOptionsOf(old)
  const annotations = template.metadata?.annotations
  checkTemplateMatches(spec.selector, template, at)
  checkTemplate(template, at, options)
  // A real server checks these twice.
  checkLabels(template.metadata?.labels, at.child('labels'))
  checkAnnotations(annotations, at.child('annotations'))
  checkPodAnnotations({ annotations, spec: template.spec ?? {} }, at.child('annotations'), options)
}

function checkUpdateStrategy(strategy: NonNullable<Spec['updateStrategy']>, at: FieldPath): void {
  const { type = '', rollingUpdate } = strategy
  const place = at.child('rollingUpdate')
  if (type === '') at.required()
  else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return
    const printed = printStruct(rollingUpdate, 'RollingUpdateStatefulSetStrategy')
    place.invalidPrinted(printed, "only allowed for updateStrategy 'RollingUpdate'")
  } else if (type !== 'RollingUpdate') {
    const printed = printStruct(strategy, 'StatefulSetUpdateStrategy')
    at.invalidPrinted(printed, "must be 'RollingUpdate' or 'OnDelete'")
  } else if (rollingUpdate !== undefined) {
    const { maxUnavailable } = rollingUpdate
    checkNonnegativeFields(rollingUpdate, ['partition'], place)
    if (maxUnavailable === undefined) return
    checkIntOrPercent(maxUnavailable, place.child('maxUnavailable'))
    if (leadingNumber(maxUnavailable) === 0) {
      place.child('maxUnavailable').invalid(maxUnavailable, 'cannot be 0')
    }
    checkAtMost100Percent(maxUnavailable, place.child('maxUnavailable'))
  }
}

function checkRetention(spec: Spec, at: FieldPath): void {
  const policy = spec.persistentVolumeClaimRetentionPolicy
  if (policy === undefined) return
  for (const field of ['whenDeleted', 'whenScaled'] as const) {
    const value = policy[field] ?? ''
    if (value === 'Retain' || value === 'Delete') continue
    at.child(field).notSupported(value, ['Retain', 'Delete'])
  }
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function checkUnchanged(spec: Spec, old: Spec, at: FieldPath): void {
  const rest = (value: Spec) =>
    Object.fromEntries(Object.entries(value).filter(([field]) => !changeable.includes(field)))
  if (sameValue(rest(spec), rest(old))) return
  const names = changeable.map((field) => `'${field}'`)
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
  at.forbidden(`updates to statefulset spec for fields other than ${list} are forbidden`)
}

const statusCounts = {
  nonnegative: [
    'replicas',
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
    'observedGeneration',
    'collisionCount',
  ],
  notAboveReplicas: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  readyName: 'status.readyReplicas',
} as const

/** The rules of StatefulSets. */
export const statefulSetRules = checkedKind<StatefulSet>({
  group: 'apps',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  namespaced: true,
  nameRule: nameRules.label,
  ...specRules(checkSpec),
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      const { status = {} } = object
      const place = at.child('status')
      checkReplicaCounts(status, statusCounts, place)
      checkMetadataUpdate()
      checkNotDecremented(status, old.status ?? {}, place)
    },
  },
})
