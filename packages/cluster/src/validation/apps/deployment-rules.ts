import type { Deployment } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  leadingNumber,
} from '../fields/int-or-percent.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkNotDecremented, checkReplicaCounts } from './replica-counts.ts'
import { specRules } from './spec-rules.ts'
import { checkSelectorAndTemplate, checkSelectorUnchanged } from './workload-selector.ts'

type Spec = NonNullable<Created<Deployment>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
  const { minReadySeconds = 0, progressDeadlineSeconds } = spec
  checkNonnegativeFields(spec, ['replicas'], at)
  checkSelectorAndTemplate(spec, at, old)
  checkStrategy(spec.strategy ?? {}, at.child('strategy'))
  const fields = ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'] as const
  checkNonnegativeFields(spec, fields, at)
  if (progressDeadlineSeconds !== undefined && progressDeadlineSeconds <= minReadySeconds) {
    const place = at.child('progressDeadlineSeconds')
    place.invalid(progressDeadlineSeconds, 'must be greater than minReadySeconds')
  }
  if (old !== undefined) checkSelectorUnchanged(spec.selector, old.selector, at.child('selector'))
}

function checkStrategy(strategy: NonNullable<Spec['strategy']>, at: FieldPath): void {
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

const statusCounts = {
  nonnegative: [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ],
  notAboveReplicas: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
} as const

/** The rules of Deployments. */
export const deploymentRules = checkedKind<Deployment>({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  namespaced: true,
  nameRule: nameRules.subdomain,
  ...specRules(checkSpec),
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      const { status = {} } = object
      const place = at.child('status')
      checkMetadataUpdate()
      checkReplicaCounts(status, statusCounts, place)
      checkNotDecremented(status, old.status ?? {}, place)
    },
  },
})
