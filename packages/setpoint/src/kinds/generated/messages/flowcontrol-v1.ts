// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const FlowSchema: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['priorityLevelConfiguration:!m matchingPrecedence:!i distinguisherMethod:?m rules:*m', ['name:!'], ['type:!'], ['subjects:!*m resourceRules:*m nonResourceRules:*m', ['kind:! user:?m group:?m serviceAccount:?m', ['name:!'], ['name:!'], ['namespace:! name:!']], ['verbs:!* apiGroups:!* resources:!* clusterScope:b namespaces:!*'], ['verbs:!* 6nonResourceURLs:!*']]], ['conditions:*m', ['type status lastTransitionTime:!t reason message']]]

export const PriorityLevelConfiguration: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['type:! limited:?m exempt:?m', ['nominalConcurrencyShares:!?i limitResponse:!m lendablePercent:?i borrowingLimitPercent:?i', ['type:! queuing:?m', ['queues:!i handSize:!i queueLengthLimit:!i']]], ['nominalConcurrencyShares:?i lendablePercent:?i']], ['conditions:*m', ['type status lastTransitionTime:!t reason message']]]
