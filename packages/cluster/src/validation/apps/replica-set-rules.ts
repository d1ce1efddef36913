import type { ReplicaSet } from 'setpoint/kinds'
import type { FieldPlace } from '../go/field-place.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { templateOptions } from '../pod/pod-template.ts'
import { checkAvailableNotAboveReady, checkNotAboveReplicas } from './replica-counts.ts'
import {
  checkReplicaTemplate,
  checkSelectorUnchanged,
  checkWorkloadSelector,
} from './workload-selector.ts'

type Spec = NonNullable<Created<ReplicaSet>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPlace, old?: Spec): void {
  const { selector, template = {} } = spec
  checkNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at)
  checkWorkloadSelector(selector, at.child('selector'), 'deployment')
  const oldTemplate = old === undefined ? undefined : (old.template ?? {})
  checkReplicaTemplate({ selector, template, options: templateOptions(oldTemplate) }, at)
}

const statusCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
] as const

/** The rules of ReplicaSets. */
export const replicaSetRules = checkedKind<ReplicaSet>({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
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
    status({ object, at, checkMetadataUpdate }) {
      const { status = {} } = object
      const place = at.child('status')
      checkMetadataUpdate()
      checkNonnegativeFields(status, statusCounts, place)
      const counts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const
      checkNotAboveReplicas(status, counts, place)
      checkAvailableNotAboveReady(status, place, 'readyReplicas')
    },
  },
})
