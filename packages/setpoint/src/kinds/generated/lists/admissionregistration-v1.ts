// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as metaV1 from './meta-v1.ts'

export const MatchResources: ListTable = ['namespaceSelector:a objectSelector:a']

export const MutatingAdmissionPolicy: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['matchConditions:lmap,kname,pmerge,gname matchConstraints:a,f paramKind:a', MatchResources]]

export const ParamRef: ListTable = ['selector:a']

export const MutatingAdmissionPolicyBinding: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['matchResources:a,f paramRef:a,f', MatchResources, ParamRef]]

export const MutatingWebhookConfiguration: ListTable = ['metadata:f webhooks:lmap,kname,pmerge,gname,if', metaV1.ObjectMeta, ['matchConditions:lmap,kname,pmerge,gname namespaceSelector:a objectSelector:a']]

export const ValidatingAdmissionPolicy: ListTable = ['metadata:f spec:f status:f', metaV1.ObjectMeta, ['matchConditions:lmap,kname,pmerge,gname matchConstraints:a,f paramKind:a variables:lmap,kname,pmerge,gname,ia', MatchResources], ['conditions:lmap,ktype']]

export const ValidatingAdmissionPolicyBinding: ListTable = ['metadata:f spec:f', metaV1.ObjectMeta, ['matchResources:a,f paramRef:a,f validationActions:lset', MatchResources, ParamRef]]

export const ValidatingWebhookConfiguration: ListTable = ['metadata:f webhooks:lmap,kname,pmerge,gname,if', metaV1.ObjectMeta, ['matchConditions:lmap,kname,pmerge,gname namespaceSelector:a objectSelector:a']]

export const listTables: Readonly<Record<string, ListTable>> = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
}
