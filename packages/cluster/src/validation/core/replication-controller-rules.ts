import type { ReplicationController } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkTemplate, templateOptions } from '../pod/pod-template.ts'
import { checkReplicaCounts, replicaSetCounts } from '../apps/replica-counts.ts'
import { specRules } from '../apps/spec-rules.ts'
import { checkRunsForever, checkTemplateMatches } from '../apps/workload-selector.ts'

type Spec = NonNullable<Created<ReplicationController>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
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

/** The rules of ReplicationControllers. */
export const replicationControllerRules = checkedKind<ReplicationController>({
  group: '',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  namespaced: true,
  nameRule: (name, isPrefix) =>
    isPrefix ? nameRules.pathSegment(name, true) : nameRules.subdomain(name, false),
  ...specRules(checkSpec),
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      const { status = {} } = object
      checkMetadataUpdate()
      checkReplicaCounts(status, replicaSetCounts, at.child('status'))
    },
  },
})
