/** Kinds with few rules. */
import type {
  ControllerRevision,
  Lease,
  Namespace,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  RuntimeClass,
  ServiceAccount,
} from 'setpoint/kinds'
import { jsonEquals, type JsonValue } from 'setpoint/schema'
import { encodeJson } from '../codec/index.ts'
import { isTerminating } from '../object/index.ts'
import { checkRequirements } from './container/container-resources.ts'
import type { FieldPath } from './go/field-path.ts'
import { printStruct } from './go/go-struct.ts'
import { checkAtMost100Percent, checkIntOrPercent } from './fields/int-or-percent.ts'
import { checkedKind, type Created } from './kind-rules.ts'
import { checkLabels, checkLabelSelector } from './fields/check-label-selector.ts'
import { nameRules } from './fields/name-rule.ts'
import { labelProblems, qualifiedNameProblems } from './fields/name-rules.ts'
import { checkNonnegativeFields } from './fields/number-rules.ts'
import { checkImmutable, checkKubeFinalizer } from './object-meta.ts'
import { checkPreemptionPolicy } from './pod/pod-spec.ts'
import { checkTemplate, templateOptions } from './pod/pod-template.ts'
import { checkTolerations } from './pod/check-tolerations.ts'
import { checkConditions } from './fields/check-conditions.ts'

/** The rules of ServiceAccounts: those of metadata. */
export const serviceAccountRules = checkedKind<ServiceAccount>({
  group: '',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ checkMetadata }) {
    checkMetadata()
  },
  update({ checkMetadata, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkMetadata()
  },
})

function checkFinalizer(finalizer: string, at: FieldPath): void {
  at.invalidEach(finalizer, qualifiedNameProblems(finalizer))
  checkKubeFinalizer(finalizer, at)
}

function checkNamespace({ object, at, checkMetadata }: Created<Namespace>): void {
  checkMetadata()
  for (const finalizer of object.spec?.finalizers ?? []) {
    checkFinalizer(finalizer, at.child('spec', 'finalizers'))
  }
}

/** The rules of Namespaces. */
export const namespaceRules = checkedKind<Namespace>({
  group: '',
  kind: 'Namespace',
  resource: 'namespaces',
  namespaced: false,
  nameRule: nameRules.label,
  create: checkNamespace,
  update(updated) {
    checkNamespace(updated)
    updated.checkMetadataUpdate()
  },
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      checkMetadataUpdate()
      const phase = object.status?.phase ?? ''
      const expected = isTerminating(object) ? 'Terminating' : 'Active'
      if (phase === expected) return
      const when = isTerminating(object) ? 'is not empty' : 'is empty'
      const detail = `may only be '${expected}' if \`deletionTimestamp\` ${when}`
      at.child('status', 'Phase').invalid(phase, detail)
    },
    finalize({ object, at, checkMetadataUpdate }) {
      checkMetadataUpdate()
      for (const [index, finalizer] of (object.spec?.finalizers ?? []).entries()) {
        checkFinalizer(finalizer, at.child('spec', 'finalizers').index(index))
      }
    },
  },
})

/** The rules of PodTemplates. */
export const podTemplateRules = checkedKind<PodTemplate>({
  group: '',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkTemplate(object.template ?? {}, at.child('template'), {})
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkTemplate(object.template ?? {}, at.child('template'), templateOptions(old.template ?? {}))
  },
})

function checkRevision({ object, at, checkMetadata }: Created<ControllerRevision>): void {
  checkMetadata()
  checkNonnegativeFields(object, ['revision'], at)
}

/** The rules of ControllerRevisions: their data is immutable. */
export const controllerRevisionRules = checkedKind<ControllerRevision>({
  group: 'apps',
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  namespaced: true,
  rawField: 'data',
  nameRule: nameRules.subdomain,
  create(created) {
    checkRevision(created)
    const data: unknown = created.object.data
    const place = created.at.child('data')
    if (data === undefined || data === null) place.required('data is mandatory')
    else if (typeof data !== 'object' || Array.isArray(data)) {
      place.required('data must be a valid JSON object')
    }
  },
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    checkRevision(updated)
    // Raw data is compared as it is: null differs from a missing field.
    const [data = null, before = null] = [object.data, old.data] as (JsonValue | undefined)[]
    if (jsonEquals(data, before)) return
    at.child('data').invalidPrinted(encodeJson(data), 'field is immutable')
  },
})

function checkLeaseSpec({ object, at }: Created<Lease>): void {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = object.spec ?? {}
  if (duration !== undefined && duration <= 0) {
    at.child('spec', 'leaseDurationSeconds').invalid(duration, 'must be greater than 0')
  }
  if (transitions !== undefined && transitions < 0) {
    const place = at.child('spec', 'leaseTransitions')
    place.invalid(transitions, 'must be greater than or equal to 0')
  }
}

/** The rules of Leases. */
export const leaseRules = checkedKind<Lease>({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  resource: 'leases',
  namespaced: true,
  nameRule: nameRules.subdomain,
  allowsPlainFinalizers: true,
  create(created) {
    created.checkMetadata()
    checkLeaseSpec(created)
  },
  update(updated) {
    updated.checkMetadataUpdate()
    checkLeaseSpec(updated)
  },
})

const systemClasses: Readonly<Record<string, number>> = {
  'system-node-critical': 2000001000,
  'system-cluster-critical': 2000000000,
}

function checkPriority({ object, at }: Created<PriorityClass>): void {
  const { name = '' } = object.metadata ?? {}
  const { value = 0, globalDefault = false } = object
  if (!name.startsWith('system-')) {
    if (value <= 1_000_000_000) return
    const detail = 'maximum allowed value of a user defined priority is 1000000000'
    return at.child('value').forbidden(detail)
  }
  const known = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined
  const why =
    known === undefined
      ? `${name} is not a known system priority class`
      : value !== known
        ? `value of ${name} PriorityClass must be ${known}`
        : globalDefault
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined
  if (why === undefined) return
  const words = "priority class names with 'system-' prefix are reserved for system use only."
  at.child('metadata', 'name').forbidden(`${words} error: ${why}`)
}

/** The rules of PriorityClasses. */
export const priorityClassRules = checkedKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create(created) {
    created.checkMetadata()
    checkPriority(created)
    checkPreemptionPolicy(created.object.preemptionPolicy, created.at.child('preemptionPolicy'))
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    if ((object.value ?? 0) !== (old.value ?? 0)) {
      at.child('value').forbidden('may not be changed in an update.')
    }
    checkImmutable(object.preemptionPolicy, old.preemptionPolicy, at.child('preemptionPolicy'))
  },
})

function checkRuntimeClass({ object, at, checkMetadata }: Created<RuntimeClass>): void {
  checkMetadata()
  const { handler = '', overhead, scheduling } = object
  if (handler === '') at.child('handler').required()
  else at.child('handler').invalidEach(handler, labelProblems(handler))
  if (overhead !== undefined) {
    checkRequirements({ limits: overhead.podFixed ?? {} }, at.child('overhead'))
  }
  if (scheduling === undefined) return
  const { nodeSelector, tolerations = [] } = scheduling
  const place = at.child('scheduling', 'tolerations')
  checkLabels(nodeSelector, at.child('scheduling', 'nodeSelector'))
  checkTolerations(tolerations, place)
  const seen = new Set<string>()
  for (const [index, toleration] of tolerations.entries()) {
    const { tolerationSeconds: _seconds, ...rest } = toleration
    const key = JSON.stringify(Object.entries(rest).sort())
    const printed = () => printStruct(toleration, 'Toleration')
    if (seen.has(key)) place.index(index).duplicatePrinted(printed())
    seen.add(key)
  }
}

/** The rules of RuntimeClasses. */
export const runtimeClassRules = checkedKind<RuntimeClass>({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  resource: 'runtimeclasses',
  namespaced: false,
  nameRule: nameRules.subdomain,
  allowsPlainFinalizers: true,
  create: checkRuntimeClass,
  update(updated) {
    const { object, old, at } = updated
    checkRuntimeClass(updated)
    updated.checkMetadataUpdate()
    checkImmutable(object.handler ?? '', old.handler ?? '', at.child('handler'))
  },
})

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget']

function checkBudget(
  { object, at }: Created<PodDisruptionBudget>,
  allowInvalidValues: boolean,
): void {
  const { spec = {} } = object
  const place = at.child('spec')
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const printed = printStruct(spec, 'PodDisruptionBudgetSpec')
    place.invalidPrinted(printed, 'minAvailable and maxUnavailable cannot be both set')
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    const value = spec[field]
    if (value === undefined) continue
    checkIntOrPercent(value, place.child(field))
    checkAtMost100Percent(value, place.child(field))
  }
  checkLabelSelector(spec.selector, place.child('selector'), { allowInvalidValues })
  const policy = spec.unhealthyPodEvictionPolicy
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    place.child('unhealthyPodEvictionPolicy').notSupported(policy, evictionPolicies)
  }
}

/** The rules of PodDisruptionBudgets; the generic layer checks their metadata. */
export const podDisruptionBudgetRules = checkedKind<PodDisruptionBudget>({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  namespaced: true,
  nameRule: nameRules.any,
  create(created) {
    checkBudget(created, false)
  },
  update(updated) {
    const hadProblems = updated.at.silent().collects((place) => {
      checkLabelSelector(updated.old.spec?.selector, place)
    })
    checkBudget(updated, hadProblems)
  },
  subresources: {
    status({ object, at }) {
      const { status = {} } = object
      const place = at.child('status')
      checkConditions(status.conditions ?? [], place.child('conditions'))
      const counts = [
        'disruptionsAllowed',
        'currentHealthy',
        'desiredHealthy',
        'expectedPods',
      ] as const
      checkNonnegativeFields(status, counts, place)
    },
  },
})
