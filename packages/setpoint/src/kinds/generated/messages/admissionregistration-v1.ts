// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const ParamKind: MessageTable = ['apiVersion kind']

export const RuleWithOperations: MessageTable = ['operations:* rule:^m', ['apiGroups:* apiVersions:* resources:* scope:?']]

export const NamedRuleWithOperations: MessageTable = ['resourceNames:* ruleWithOperations:^m', RuleWithOperations]

export const MatchResources: MessageTable = ['namespaceSelector:?m objectSelector:?m resourceRules:*m excludeResourceRules:*m 7matchPolicy:?', metaV1.LabelSelector, metaV1.LabelSelector, NamedRuleWithOperations, NamedRuleWithOperations]

export const Variable: MessageTable = ['name:! expression:!']

export const MatchCondition: MessageTable = ['name:! expression:!']

export const MutatingAdmissionPolicy: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['paramKind:?m matchConstraints:?m variables:*m mutations:*m failurePolicy:? matchConditions:*m reinvocationPolicy', ParamKind, MatchResources, Variable, ['2patchType:! applyConfiguration:?m jsonPatch:?m', ['expression'], ['expression']], MatchCondition]]

export const ParamRef: MessageTable = ['name namespace selector:?m parameterNotFoundAction:?', metaV1.LabelSelector]

export const MutatingAdmissionPolicyBinding: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['policyName paramRef:?m matchResources:?m', ParamRef, MatchResources]]

export const WebhookClientConfig: MessageTable = ['service:?m caBundle:y url:?', ['namespace:! name:! path:? port:?i']]

export const MutatingWebhookConfiguration: MessageTable = ['metadata:!m webhooks:*m', metaV1.ObjectMeta, ['name:! clientConfig:!m rules:*m failurePolicy:? namespaceSelector:?m sideEffects:!? timeoutSeconds:?i admissionReviewVersions:!* matchPolicy:? reinvocationPolicy:? objectSelector:?m matchConditions:*m', WebhookClientConfig, RuleWithOperations, metaV1.LabelSelector, metaV1.LabelSelector, MatchCondition]]

export const ValidatingAdmissionPolicy: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['paramKind:?m matchConstraints:?m validations:*m failurePolicy:? auditAnnotations:*m matchConditions:*m variables:*m', ParamKind, MatchResources, ['expression:! message reason:? messageExpression'], ['key:! valueExpression:!'], MatchCondition, Variable], ['observedGeneration:i typeChecking:?m conditions:*m', ['expressionWarnings:*m', ['2fieldRef:! warning:!']], metaV1.Condition]]

export const ValidatingAdmissionPolicyBinding: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['policyName paramRef:?m matchResources:?m validationActions:*', ParamRef, MatchResources]]

export const ValidatingWebhookConfiguration: MessageTable = ['metadata:!m webhooks:*m', metaV1.ObjectMeta, ['name:! clientConfig:!m rules:*m failurePolicy:? namespaceSelector:?m sideEffects:!? timeoutSeconds:?i admissionReviewVersions:!* matchPolicy:? objectSelector:?m matchConditions:*m', WebhookClientConfig, RuleWithOperations, metaV1.LabelSelector, metaV1.LabelSelector, MatchCondition]]
