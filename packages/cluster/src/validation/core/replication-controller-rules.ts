import type { ReplicationController } from 'setpoint/kinds'
import type { FieldPlace } from '../go/field-place.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkTemplate, templateOptions } from '../pod/pod-template.ts'
import { checkAvailableNotAboveReady, checkNotAboveReplicas } from '../apps/replica-counts.ts'
import { checkRunsForever, checkTemplateMatches } from '../apps/workload-selector.ts'

type Spec = NonNullable<Created<ReplicationController>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPlace, old?: Spec): void {
  const { selector: matchLabels = {}, template, replicas } = spec
  checkNonnegativeFields(spec, ['minReadySeconds'], at)
  if (Object.keys(matchLabels).length === 0) at.child('selector').required()
  if (replicas === undefined) at.child('replicas').required()
  else checkNonnegativeFields(spec, ['replicas'], at)
  const place = at.child('template')
  if (template === undefined) return place.required()
  checkTemplateMatches({ matchLabels }, template, place)
  checkTemplate(template, place, templateOptions(old === undefined ? undefined : old.template))
  checkRunsForever(template, place, 'ReplicationController')
}

const statusCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const

/** The rules of ReplicationControllers. */
export const replicationControllerRules = checkedKind<ReplicationController>({
  group: '',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'))
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkSpec(object.spec ?? {}, at.child('spec'), old.spec ?? {})
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
