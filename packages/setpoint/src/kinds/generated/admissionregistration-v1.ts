// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/admissionregistration-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { Condition, LabelSelector } from './meta-v1.ts'

export interface AdmissionregistrationServiceReference {
  name: string
  namespace: string
  path?: string
  port?: number
}

export interface ApplyConfiguration {
  expression?: string
}

export interface AuditAnnotation {
  key: string
  valueExpression: string
}

export interface ExpressionWarning {
  fieldRef: string
  warning: string
}

export interface JSONPatch {
  expression?: string
}

export interface MatchCondition {
  expression: string
  name: string
}

export interface MatchResources {
  excludeResourceRules?: NamedRuleWithOperations[]
  matchPolicy?: 'Equivalent' | 'Exact'
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  resourceRules?: NamedRuleWithOperations[]
}

/** Changes objects during admission, by CEL expressions. */
export interface MutatingAdmissionPolicy {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'MutatingAdmissionPolicy'
  metadata: StoredMetadata<'Cluster'>
  spec: MutatingAdmissionPolicySpec
}

export const MutatingAdmissionPolicy: ExactKind<MutatingAdmissionPolicy> =
  /* @__PURE__ */ defineKind<MutatingAdmissionPolicy>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    plural: 'mutatingadmissionpolicies',
    singular: 'mutatingadmissionpolicy',
    scope: 'Cluster',
    protobuf: messages.MutatingAdmissionPolicy,
  })

/** Enables a MutatingAdmissionPolicy for some objects. */
export interface MutatingAdmissionPolicyBinding {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'MutatingAdmissionPolicyBinding'
  metadata: StoredMetadata<'Cluster'>
  spec: MutatingAdmissionPolicyBindingSpec
}

export const MutatingAdmissionPolicyBinding: ExactKind<MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ defineKind<MutatingAdmissionPolicyBinding>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    plural: 'mutatingadmissionpolicybindings',
    singular: 'mutatingadmissionpolicybinding',
    scope: 'Cluster',
    protobuf: messages.MutatingAdmissionPolicyBinding,
  })

export interface MutatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources
  paramRef?: ParamRef
  policyName?: string
}

export interface MutatingAdmissionPolicySpec {
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchConstraints?: MatchResources
  mutations?: Mutation[]
  paramKind?: ParamKind
  reinvocationPolicy?: 'IfNeeded' | 'Never'
  variables?: Variable[]
}

export interface MutatingWebhook {
  admissionReviewVersions: string[]
  clientConfig: WebhookClientConfig
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchPolicy?: 'Equivalent' | 'Exact'
  name: string
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  reinvocationPolicy?: 'IfNeeded' | 'Never'
  rules?: RuleWithOperations[]
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'
  timeoutSeconds?: number
}

/** Registers webhooks that may change objects during admission. */
export interface MutatingWebhookConfiguration {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'MutatingWebhookConfiguration'
  metadata: StoredMetadata<'Cluster'>
  webhooks?: MutatingWebhook[]
}

export const MutatingWebhookConfiguration: ExactKind<MutatingWebhookConfiguration> =
  /* @__PURE__ */ defineKind<MutatingWebhookConfiguration>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    singular: 'mutatingwebhookconfiguration',
    scope: 'Cluster',
    protobuf: messages.MutatingWebhookConfiguration,
  })

export interface Mutation {
  applyConfiguration?: ApplyConfiguration
  jsonPatch?: JSONPatch
  patchType: 'ApplyConfiguration' | 'JSONPatch'
}

export interface NamedRuleWithOperations {
  apiGroups?: string[]
  apiVersions?: string[]
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[]
  resourceNames?: string[]
  resources?: string[]
  scope?: '*' | 'Cluster' | 'Namespaced'
}

export interface ParamKind {
  apiVersion?: string
  kind?: string
}

export interface ParamRef {
  name?: string
  namespace?: string
  parameterNotFoundAction?: string
  selector?: LabelSelector
}

export interface RuleWithOperations {
  apiGroups?: string[]
  apiVersions?: string[]
  operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[]
  resources?: string[]
  scope?: '*' | 'Cluster' | 'Namespaced'
}

export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[]
}

/** Refuses objects during admission, by CEL expressions. */
export interface ValidatingAdmissionPolicy {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingAdmissionPolicy'
  metadata: StoredMetadata<'Cluster'>
  spec: ValidatingAdmissionPolicySpec
  status?: ValidatingAdmissionPolicyStatus
}

export const ValidatingAdmissionPolicy: ExactKind<ValidatingAdmissionPolicy> =
  /* @__PURE__ */ defineKind<ValidatingAdmissionPolicy>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    singular: 'validatingadmissionpolicy',
    scope: 'Cluster',
    subresources: ['status'],
    protobuf: messages.ValidatingAdmissionPolicy,
  })

/** Enables a ValidatingAdmissionPolicy for some objects. */
export interface ValidatingAdmissionPolicyBinding {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingAdmissionPolicyBinding'
  metadata: StoredMetadata<'Cluster'>
  spec: ValidatingAdmissionPolicyBindingSpec
}

export const ValidatingAdmissionPolicyBinding: ExactKind<ValidatingAdmissionPolicyBinding> =
  /* @__PURE__ */ defineKind<ValidatingAdmissionPolicyBinding>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    singular: 'validatingadmissionpolicybinding',
    scope: 'Cluster',
    protobuf: messages.ValidatingAdmissionPolicyBinding,
  })

export interface ValidatingAdmissionPolicyBindingSpec {
  matchResources?: MatchResources
  paramRef?: ParamRef
  policyName: string
  validationActions: ('Audit' | 'Deny' | 'Warn')[]
}

export interface ValidatingAdmissionPolicySpec {
  auditAnnotations?: AuditAnnotation[]
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchConstraints?: MatchResources
  paramKind?: ParamKind
  validations?: Validation[]
  variables?: Variable[]
}

export interface ValidatingAdmissionPolicyStatus {
  conditions?: Condition[]
  observedGeneration?: number
  typeChecking?: TypeChecking
}

export interface ValidatingWebhook {
  admissionReviewVersions: string[]
  clientConfig: WebhookClientConfig
  failurePolicy?: 'Fail' | 'Ignore'
  matchConditions?: MatchCondition[]
  matchPolicy?: 'Equivalent' | 'Exact'
  name: string
  namespaceSelector?: LabelSelector
  objectSelector?: LabelSelector
  rules?: RuleWithOperations[]
  sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown'
  timeoutSeconds?: number
}

/** Registers webhooks that may refuse objects during admission. */
export interface ValidatingWebhookConfiguration {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: 'ValidatingWebhookConfiguration'
  metadata: StoredMetadata<'Cluster'>
  webhooks?: ValidatingWebhook[]
}

export const ValidatingWebhookConfiguration: ExactKind<ValidatingWebhookConfiguration> =
  /* @__PURE__ */ defineKind<ValidatingWebhookConfiguration>({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    singular: 'validatingwebhookconfiguration',
    scope: 'Cluster',
    protobuf: messages.ValidatingWebhookConfiguration,
  })

export interface Validation {
  expression: string
  message?: string
  messageExpression?: string
  reason?: string
}

export interface Variable {
  expression: string
  name: string
}

export interface WebhookClientConfig {
  caBundle?: string
  service?: AdmissionregistrationServiceReference
  url?: string
}
