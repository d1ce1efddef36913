// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const Subject: MessageTable = ['kind:! apiGroup name:! namespace']

export const RoleRef: MessageTable = ['apiGroup:! kind:! name:!']

export const ClusterRoleBinding: MessageTable = ['metadata:!m subjects:*m roleRef:!m', metaV1.ObjectMeta, Subject, RoleRef]

export const PolicyRule: MessageTable = ['verbs:!* apiGroups:* resources:* resourceNames:* nonResourceURLs:*']

export const ClusterRole: MessageTable = ['metadata:!m rules:!*m aggregationRule:?m', metaV1.ObjectMeta, PolicyRule, ['clusterRoleSelectors:*m', metaV1.LabelSelector]]

export const RoleBinding: MessageTable = ['metadata:!m subjects:*m roleRef:!m', metaV1.ObjectMeta, Subject, RoleRef]

export const Role: MessageTable = ['metadata:!m rules:!*m', metaV1.ObjectMeta, PolicyRule]
