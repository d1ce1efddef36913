// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'

export const MutatingAdmissionPolicy: ListTable = ['spec:f', ['matchConditions:lmap,kname']]

export const MutatingWebhookConfiguration: ListTable = ['webhooks:lmap,kname,if', ['matchConditions:lmap,kname']]

export const ValidatingAdmissionPolicy: ListTable = ['spec:f status:f', ['matchConditions:lmap,kname variables:lmap,kname'], ['conditions:lmap,ktype']]

export const ValidatingAdmissionPolicyBinding: ListTable = ['spec:f', ['validationActions:lset']]

export const ValidatingWebhookConfiguration: ListTable = ['webhooks:lmap,kname,if', ['matchConditions:lmap,kname']]

export const listTables: Readonly<Record<string, ListTable>> = {
  MutatingAdmissionPolicy,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
}
