import type { HorizontalPodAutoscaler } from 'setpoint/kinds'
import { checkMetrics } from './check-autoscaler-metrics.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegative, checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkTargetReference, hasBadApiVersion } from './target-reference.ts'
import { signOf } from '../fields/compare-quantities.ts'

type Autoscaler = Created<HorizontalPodAutoscaler>['object']
type Spec = NonNullable<Autoscaler['spec']>
type ScalingRules = NonNullable<NonNullable<Spec['behavior']>['scaleUp']>

/** v1 has one number as its target; the rules are written for the form of v2. */
function specOf({ spec = {} }: Autoscaler): Spec {
  const { targetCPUUtilizationPercentage: target } = spec as {
    readonly targetCPUUtilizationPercentage?: number
  }
  if (target === undefined) return spec
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } }
  return { ...spec, metrics: [{ type: 'Resource', resource }] }
}

function checkSpec(object: Autoscaler, at: FieldPath, old?: Autoscaler): void {
  const spec = specOf(object)
  const { minReplicas, maxReplicas = 0, scaleTargetRef: target = {} } = spec
  const oldSpec = old === undefined ? undefined : specOf(old)
  const lowest = oldSpec?.minReplicas === 0 ? 0 : 1
  if (minReplicas !== undefined && minReplicas < lowest) {
    at.child('minReplicas').invalid(minReplicas, `must be greater than or equal to ${lowest}`)
  }
  const maxAt = at.child('maxReplicas')
  if (maxReplicas === 0) maxAt.required('must be set and greater than 0')
  else if (maxReplicas < 0) maxAt.invalid(maxReplicas, 'must be greater than or equal to 1')
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    maxAt.invalid(maxReplicas, 'must be greater than or equal to `minReplicas`')
  }
  const before = oldSpec?.scaleTargetRef
  const isSameTarget =
    before !== undefined && before.apiVersion === target.apiVersion && before.kind === target.kind
  checkTargetReference(target, at.child('scaleTargetRef'), {
    allowAnyVersion: isSameTarget,
    allowCoreGroup: target.kind === 'ReplicationController',
  })
  checkMetrics(spec, at.child('metrics'), {
    allowCoreGroup: true,
    allowAnyVersion: (oldSpec?.metrics ?? []).some(
      ({ type, object: source }) =>
        type === 'Object' && source !== undefined && hasBadApiVersion(source.describedObject ?? {}),
    ),
  })
  for (const field of ['scaleUp', 'scaleDown'] as const) {
    const rules = spec.behavior?.[field]
    if (rules !== undefined) checkScalingRules(rules, at.child('behavior', field))
  }
}

const selectPolicies = ['Disabled', 'Max', 'Min']
const windowMax = 3600
const periodMax = 1800

function checkScalingRules(rules: ScalingRules, at: FieldPath): void {
  const { stabilizationWindowSeconds: seconds, selectPolicy, tolerance } = rules
  const policies = rules.policies ?? []
  const windowAt = at.child('stabilizationWindowSeconds')
  if (seconds !== undefined) {
    if (seconds < 0) windowAt.invalid(seconds, 'must be greater than or equal to zero')
    if (seconds > windowMax) {
      windowAt.invalid(seconds, `must be less than or equal to ${windowMax}`)
    }
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    at.child('selectPolicy').notSupported(selectPolicy, selectPolicies)
  }
  if (policies.length === 0) at.child('policies').required('must specify at least one Policy')
  for (const [index, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const place = at.child('policies').index(index)
    const periodAt = place.child('periodSeconds')
    if (type !== 'Pods' && type !== 'Percent') {
      place.child('type').notSupported(type, ['Percent', 'Pods'])
    }
    if (value <= 0) place.child('value').invalid(value, 'must be greater than zero')
    if (periodSeconds <= 0) periodAt.invalid(periodSeconds, 'must be greater than zero')
    if (periodSeconds > periodMax) {
      periodAt.invalid(periodSeconds, `must be less than or equal to ${periodMax}`)
    }
  }
  if (tolerance !== undefined && signOf(tolerance) < 0) {
    at.child('tolerance').invalid(tolerance, 'must be greater than or equal to 0')
  }
}

/** The rules of HorizontalPodAutoscalers, of both versions. */
export const horizontalPodAutoscalerRules = checkedKind<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSpec(object, at.child('spec'))
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkSpec(object, at.child('spec'), old)
  },
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      const { status = {} } = object
      const place = at.child('status')
      checkMetadataUpdate()
      for (const [index, condition] of (status.conditions ?? []).entries()) {
        const { observedGeneration } = condition as { readonly observedGeneration?: number }
        const generationAt = place.child('conditions').index(index).child('observedGeneration')
        checkNonnegative(observedGeneration, generationAt)
      }
      checkNonnegativeFields(status, ['currentReplicas', 'desiredReplicas'], place)
    },
  },
})
