// Made by `setpoint kinds` from podmonitors.monitoring.coreos.com; changes are overwritten.
// Types of podmonitors.monitoring.coreos.com, written by typesFromCrd of setpoint/kinds from its CRD.
import { defineKind, type ExactKind, type StoredMetadata } from 'setpoint/kinds'

/** Says which pods are scraped. */
export interface PodMonitor {
  apiVersion: 'monitoring.coreos.com/v1'
  kind: 'PodMonitor'
  metadata: StoredMetadata<'Namespaced'>
  spec: PodMonitorSpec
}

export const PodMonitor: ExactKind<PodMonitor> = /* @__PURE__ */ defineKind<PodMonitor>({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PodMonitor',
  plural: 'podmonitors',
  singular: 'podmonitor',
  shortNames: ['pmon'],
  scope: 'Namespaced',
})

export interface PodMonitorSpec {
  selector: PodMonitorSpecSelector
  /** The namespaces of the targets; that of this object unless given. */
  namespaceSelector?: PodMonitorSpecNamespaceSelector
  /** The label of the pod that has the value of the label job. */
  jobLabel?: string
  podMetricsEndpoints: PodMonitorSpecPodMetricsEndpointsItem[]
}

export interface PodMonitorSpecSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: PodMonitorSpecSelectorMatchExpressionsItem[]
}

export interface PodMonitorSpecSelectorMatchExpressionsItem {
  key: string
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  values?: string[]
}

export interface PodMonitorSpecNamespaceSelector {
  any?: boolean
  matchNames?: string[]
}

export interface PodMonitorSpecPodMetricsEndpointsItem {
  /** The name of a port. */
  port: string
  path?: string
  scheme?: 'http' | 'https'
  interval?: string
  scrapeTimeout?: string
  honorLabels?: boolean
}
