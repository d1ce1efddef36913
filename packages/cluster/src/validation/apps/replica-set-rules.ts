import type { ReplicaSet } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNonnegativeFields } from '../fields/number-rules.ts'
import { checkReplicaCounts, replicaSetCounts } from './replica-counts.ts'
import { specRules } from './spec-rules.ts'
import { checkSelectorAndTemplate, checkSelectorUnchanged } from './workload-selector.ts'

type Spec = NonNullable<Created<ReplicaSet>['object']['spec']>

function checkSpec(spec: Spec, at: FieldPath, old?: Spec): void {
  checkNonnegativeFields(spec, ['replicas', 'minReadySeconds'], at)
  checkSelectorAndTemplate(spec, at, old)
  if (old !== undefined) checkSelectorUnchanged(spec.selector, old.selector, at.child('selector'))
}

const statusCounts = {
  nonnegative: [...replicaSetCounts.nonnegative, 'terminatingReplicas'],
  notAboveReplicas: replicaSetCounts.notAboveReplicas,
} as const

/** The rules of ReplicaSets. */
export const replicaSetRules = checkedKind<ReplicaSet>({
  group: 'apps',
  kind: 'ReplicaSet',
  resource: 'replicasets',
  namespaced: true,
  nameRule: nameRules.subdomain,
  ...specRules(checkSpec),
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      const { status = {} } = object
      checkMetadataUpdate()
      checkReplicaCounts(status, statusCounts, at.child('status'))
    },
  },
})
