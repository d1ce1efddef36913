// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'

export const MutatingAdmissionPolicy: ListTable = ['spec:f', ['matchConditions:kname']]

export const MutatingWebhookConfiguration: ListTable = ['webhooks:kname,if', ['matchConditions:kname']]

export const ValidatingAdmissionPolicy: ListTable = ['spec:f status:f', ['matchConditions:kname variables:kname'], ['conditions:ktype']]

export const ValidatingAdmissionPolicyBinding: ListTable = ['spec:f', ['validationActions:s']]

export const ValidatingWebhookConfiguration: ListTable = ['webhooks:kname,if', ['matchConditions:kname']]

export const listTables: Readonly<Record<string, ListTable>> = {
  MutatingAdmissionPolicy,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
}
