import type { DaemonSet } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  leadingNumber,
} from '../fields/int-or-percent.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import {
  checkLabelSelector,
  isEmptySelector,
  isReadableSelector,
  selectorMatches,
} from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkTemplate, templateOptionsOf } from '../pod/pod-template.ts'
import { checkNotDecremented } from './replica-counts.ts'
import { specRules } from './spec-rules.ts'
import { checkRunsForever, checkSelectorUnchanged } from './workload-selector.ts'

type Spec = NonNullable<Created<DaemonSet>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
  const { selector, template = {} } = spec
  const place = at.child('template')
  const labels = template.metadata?.labels
  const options = templateOptionsOf(old)
  if (old !== undefined) checkSelectorUnchanged(selector, old.selector, at.child('selector'))
  checkLabelSelector(selector, at.child('selector'), {
    allowInvalidValues: options.allowInvalidSelectorValues ?? false,
  })
  if (isReadableSelector(selector) && !selectorMatches(selector, labels)) {
    place.child('metadata', 'labels').invalid(labels, '`selector` does not match template `labels`')
  }
  if (selector !== undefined && isEmptySelector(selector)) {
    const printed = printStruct(selector, 'LabelSelector')
    at.child('selector').invalidPrinted(printed, 'empty selector is invalid for daemonset')
  }
  checkTemplate(template, place, options)
  checkRunsForever(template, place, 'DaemonSet')
  checkNonnegativeFields(spec, ['minReadySeconds'], at)
  checkStrategy(spec.updateStrategy ?? {}, at.child('updateStrategy'))
  checkNonnegativeFields(spec, ['revisionHistoryLimit'], at)
}

function checkStrategy(strategy: NonNullable<Spec['updateStrategy']>, at: FieldPath): void {
  const { type = '', rollingUpdate } = strategy
  if (type === 'OnDelete') return
  if (type !== 'RollingUpdate') {
    const printed = printStruct(strategy, 'DaemonSetUpdateStrategy')
    return at.notSupportedPrinted(printed, ['RollingUpdate', 'OnDelete'])
  }
  const place = at.child('rollingUpdate')
  if (rollingUpdate === undefined) return place.required()
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate
  checkIntOrPercent(maxUnavailable, place.child('maxUnavailable'))
  checkIntOrPercent(maxSurge, place.child('maxSurge'))
  checkAtMost100Percent(maxUnavailable, place.child('maxUnavailable'))
  checkAtMost100Percent(maxSurge, place.child('maxSurge'))
  const hasUnavailable = leadingNumber(maxUnavailable) !== 0
  const hasSurge = leadingNumber(maxSurge) !== 0
  if (hasUnavailable && hasSurge) {
    place.child('maxSurge').invalid(maxSurge, 'may not be set when maxUnavailable is non-zero')
  } else if (!hasUnavailable && !hasSurge) {
    place.child('maxUnavailable').required('cannot be 0 when maxSurge is 0')
  }
}

const statusCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const

/** The rules of DaemonSets. */
export const daemonSetRules = checkedKind<DaemonSet>({
  group: 'apps',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  namespaced: true,
  nameRule: nameRules.subdomain,
  ...specRules(checkSpec),
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      const { status = {} } = object
      checkMetadataUpdate()
      checkNonnegativeFields(status, statusCounts, at.child('status'))
      checkNotDecremented(status, old.status ?? {}, at.child('status'))
    },
  },
})
