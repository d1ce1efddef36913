// Made by `setpoint kinds` from prometheusrules.monitoring.coreos.com; changes are overwritten.
// Types of prometheusrules.monitoring.coreos.com, written by typesFromCrd of setpoint/kinds from its CRD.
import { defineKind, type ExactKind, type IntOrString, type StoredMetadata } from 'setpoint/kinds'

/** Has alerts and recording rules. */
export interface PrometheusRule {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'PrometheusRule'
  metadata: StoredMetadata<'Namespaced'>
  spec: PrometheusRuleSpec
}

export const PrometheusRule: ExactKind<PrometheusRule> = /* @__PURE__ */ defineKind<PrometheusRule>(
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    plural: 'prometheusrules',
    singular: 'prometheusrule',
    shortNames: ['promrule'],
    scope: 'Namespaced',
  },
)

export interface PrometheusRuleSpec {
  groups?: PrometheusRuleSpecGroupsItem[]
}

export interface PrometheusRuleSpecGroupsItem {
  name: string
  interval?: string
  rules?: PrometheusRuleSpecGroupsItemRulesItem[]
}

export interface PrometheusRuleSpecGroupsItemRulesItem {
  alert?: string
  record?: string
  expr: IntOrString
  for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}
