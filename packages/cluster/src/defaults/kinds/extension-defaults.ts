import type {
  CustomResourceDefinition,
  MatchResources,
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const fillPort = typed<{ port?: number }>((reference) => {
  reference.port ??= 443
})

const fillFailurePolicy = typed<{ failurePolicy?: string }>((value) => {
  value.failurePolicy ??= 'Fail'
})

function fillMatch(value: MatchResources): void {
  value.matchPolicy ??= 'Equivalent'
  value.namespaceSelector ??= {}
  value.objectSelector ??= {}
}

function fillWebhook(webhook: ValidatingWebhook): void {
  webhook.failurePolicy ??= 'Fail'
  fillMatch(webhook)
  webhook.timeoutSeconds ??= 10
}

const fillRule = typed<RuleWithOperations>((rule) => {
  rule.scope ??= '*'
})

function fillCustomResourceDefinition({ spec, status }: CustomResourceDefinition): void {
  spec.names.singular ||= spec.names.kind.toLowerCase()
  if (spec.names.kind !== '') spec.names.listKind ||= `${spec.names.kind}List`
  spec.conversion ??= { strategy: 'None' }
  if (status !== undefined && (status.storedVersions ?? []).length === 0) {
    const stored = itemsOf(spec.versions).find(({ storage }) => storage)
    if (stored !== undefined) status.storedVersions = [stored.name]
  }
}

/** Webhooks, admission policies, custom resource definitions and API services. */
export const extensionDefaults: TypeDefaults = {
  ...inPackage('k8s.io.api.admissionregistration.v1', {
    ValidatingWebhook: typed<ValidatingWebhook>(fillWebhook),
    MutatingWebhook: typed<MutatingWebhook>((webhook) => {
      fillWebhook(webhook)
      webhook.reinvocationPolicy ??= 'Never'
    }),
    RuleWithOperations: fillRule,
    NamedRuleWithOperations: fillRule,
    ServiceReference: fillPort,
    ValidatingAdmissionPolicySpec: fillFailurePolicy,
    MutatingAdmissionPolicySpec: fillFailurePolicy,
    MatchResources: typed<MatchResources>(fillMatch),
  }),
  ...inPackage('k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1', {
    CustomResourceDefinition: typed<CustomResourceDefinition>(fillCustomResourceDefinition),
    ServiceReference: fillPort,
  }),
  ...inPackage('k8s.io.kube_aggregator.pkg.apis.apiregistration.v1', {
    ServiceReference: fillPort,
  }),
}
