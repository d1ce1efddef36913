// Made by `setpoint kinds` from servicemonitors.monitoring.coreos.com; changes are overwritten.
// Types of servicemonitors.monitoring.coreos.com, written by typesFromCrd of setpoint/kinds from its CRD.
import { defineKind, type ExactKind, type StoredMetadata } from 'setpoint/kinds'

/** Says which Services are scraped. */
export interface ServiceMonitor {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'ServiceMonitor'
  metadata: StoredMetadata<'Namespaced'>
  spec: ServiceMonitorSpec
}

export const ServiceMonitor: ExactKind<ServiceMonitor> = /* @__PURE__ */ defineKind<ServiceMonitor>(
  {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    plural: 'servicemonitors',
    singular: 'servicemonitor',
    shortNames: ['smon'],
    scope: 'Namespaced',
  },
)

export interface ServiceMonitorSpec {
  selector: ServiceMonitorSpecSelector
  /** The namespaces of the targets; that of this object unless given. */
  namespaceSelector?: ServiceMonitorSpecNamespaceSelector
  /** The label of the Service that has the value of the label job. */
  jobLabel?: string
  endpoints: ServiceMonitorSpecEndpointsItem[]
}

export interface ServiceMonitorSpecSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: ServiceMonitorSpecSelectorMatchExpressionsItem[]
}

export interface ServiceMonitorSpecSelectorMatchExpressionsItem {
  key: string
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  values?: string[]
}

export interface ServiceMonitorSpecNamespaceSelector {
  any?: boolean
  matchNames?: string[]
}

export interface ServiceMonitorSpecEndpointsItem {
  /** The name of a port. */
  port: string
  path?: string
  scheme?: 'http' | 'https'
  interval?: string
  scrapeTimeout?: string
  honorLabels?: boolean
}
