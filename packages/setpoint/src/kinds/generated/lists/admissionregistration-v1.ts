// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { ObjectMeta } from './meta-v1.ts'

export const MatchResources: ListTypes = {
  namespaceSelector: { atomic: true },
  objectSelector: { atomic: true },
}

export const MutatingAdmissionPolicySpec: ListTypes = {
  matchConditions: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
  matchConstraints: { atomic: true, fields: MatchResources },
  paramKind: { atomic: true },
}

export const MutatingAdmissionPolicy: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: MutatingAdmissionPolicySpec },
}

export const ParamRef: ListTypes = {
  selector: { atomic: true },
}

export const MutatingAdmissionPolicyBindingSpec: ListTypes = {
  matchResources: { atomic: true, fields: MatchResources },
  paramRef: { atomic: true, fields: ParamRef },
}

export const MutatingAdmissionPolicyBinding: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: MutatingAdmissionPolicyBindingSpec },
}

export const MutatingWebhook: ListTypes = {
  matchConditions: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
  namespaceSelector: { atomic: true },
  objectSelector: { atomic: true },
}

export const MutatingWebhookConfiguration: ListTypes = {
  metadata: { fields: ObjectMeta },
  webhooks: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: MutatingWebhook } },
}

export const ValidatingAdmissionPolicySpec: ListTypes = {
  matchConditions: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
  matchConstraints: { atomic: true, fields: MatchResources },
  paramKind: { atomic: true },
  variables: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { atomic: true } },
}

export const ValidatingAdmissionPolicyStatus: ListTypes = {
  conditions: { list: 'map', keys: ['type'] },
}

export const ValidatingAdmissionPolicy: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ValidatingAdmissionPolicySpec },
  status: { fields: ValidatingAdmissionPolicyStatus },
}

export const ValidatingAdmissionPolicyBindingSpec: ListTypes = {
  matchResources: { atomic: true, fields: MatchResources },
  paramRef: { atomic: true, fields: ParamRef },
  validationActions: { list: 'set' },
}

export const ValidatingAdmissionPolicyBinding: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: ValidatingAdmissionPolicyBindingSpec },
}

export const ValidatingWebhook: ListTypes = {
  matchConditions: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name' },
  namespaceSelector: { atomic: true },
  objectSelector: { atomic: true },
}

export const ValidatingWebhookConfiguration: ListTypes = {
  metadata: { fields: ObjectMeta },
  webhooks: { list: 'map', keys: ['name'], patch: 'merge', mergeKey: 'name', items: { fields: ValidatingWebhook } },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
}
