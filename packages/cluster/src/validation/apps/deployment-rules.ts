import type { Deployment } from 'setpoint/kinds'
import type { FieldPlace } from '../go/field-place.ts'
import { printStruct } from '../go/go-struct.ts'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  leadingNumber,
} from '../fields/int-or-percent.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { templateOptions } from '../pod/pod-template.ts'
import {
  checkAvailableNotAboveReady,
  checkNotAboveReplicas,
  checkNotDecremented,
} from './replica-counts.ts'
import {
  checkReplicaTemplate,
  checkSelectorUnchanged,
  checkWorkloadSelector,
} from './workload-selector.ts'

type Spec = NonNullable<Created<Deployment>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPlace, old?: Spec): void {
  const { selector, template = {}, minReadySeconds = 0, progressDeadlineSeconds } = spec
  checkNonnegativeFields(spec, ['replicas'], at)
  checkWorkloadSelector(selector, at.child('selector'), 'deployment')
  const oldTemplate = old === undefined ? undefined : (old.template ?? {})
  checkReplicaTemplate({ selector, template, options: templateOptions(oldTemplate) }, at)
  checkStrategy(spec.strategy ?? {}, at.child('strategy'))
  const fields = ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const
  checkNonnegativeFields(spec, fields, at)
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const place = at.child('progressDeadlineSeconds')
    place.invalid(progressDeadlineSeconds, 'must be greater than minReadySeconds')
  }
}

function checkStrategy(strategy: NonNullable<Spec['strategy']>, at: FieldPlace): void {
  const { type = '', rollingUpdate } = strategy
  const place = at.child('rollingUpdate')
  if (type === 'Recreate') {
    if (rollingUpdate === undefined) return
    place.forbidden("may not be specified when strategy `type` is 'Recreate'")
  } else if (type !== 'RollingUpdate') {
    const printed = printStruct(strategy, 'DeploymentStrategy')
    at.notSupportedPrinted(printed, ['Recreate', 'RollingUpdate'])
  } else if (rollingUpdate === undefined) {
    place.required('this should be defaulted and never be nil')
  } else {
    const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate
    checkIntOrPercent(maxUnavailable, place.child('maxUnavailable'))
    checkIntOrPercent(maxSurge, place.child('maxSurge'))
    if (leadingNumber(maxUnavailable) === 0 && leadingNumber(maxSurge) === 0) {
      place.child('maxUnavailable').invalid(maxUnavailable, 'may not be 0 when `maxSurge` is 0')
    }
    checkAtMost100Percent(maxUnavailable, place.child('maxUnavailable'))
  }
}

const statusCounts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
] as const

/** The rules of Deployments. */
export const deploymentRules = checkedKind<Deployment>({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'))
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkSpec(object.spec ?? {}, at.child('spec'), old.spec ?? {})
    checkSelectorUnchanged(object.spec?.selector, old.spec?.selector, at.child('spec', 'selector'))
  },
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      const { status = {} } = object
      const place = at.child('status')
      checkMetadataUpdate()
      checkNonnegativeFields(status, statusCounts, place)
      const counts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const
      checkNotAboveReplicas(status, counts, place)
      checkAvailableNotAboveReady(status, place, 'readyReplicas')
      checkNotDecremented(status, old.status ?? {}, place)
    },
  },
})
