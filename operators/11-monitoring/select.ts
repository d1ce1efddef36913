import type { CacheView, Frozen } from 'setpoint'
import { ConfigMap, selects } from 'setpoint/kinds'
import { dashboardProblem, problemOf } from './accept.ts'
import { PodMonitor } from './kinds/pod-monitor.ts'
import { PrometheusRule } from './kinds/prometheus-rule.ts'
import { ServiceMonitor } from './kinds/service-monitor.ts'
import { namespacesOf, type Stack } from './monitoring-stack.ts'

/** The label of dashboards, as in Grafana's Helm chart. */
export const dashboardLabel = 'grafana_dashboard'

/** What a stack uses, in a fixed order, and what it refuses. */
export interface Selection {
  readonly serviceMonitors: readonly Frozen<ServiceMonitor>[]
  readonly podMonitors: readonly Frozen<PodMonitor>[]
  /** The files of rules and dashboards, by their name in a ConfigMap. */
  readonly rules: Readonly<Record<string, string>>
  readonly dashboards: Readonly<Record<string, string>>
  /** Texts for users. */
  readonly refused: readonly string[]
}

type Selected = typeof ServiceMonitor | typeof PodMonitor | typeof PrometheusRule | typeof ConfigMap

/** Selects the objects of a stack. */
export function select(stack: Stack, { list }: CacheView<Selected>): Selection {
  const { serviceMonitorSelector, podMonitorSelector, ruleSelector } = stack.spec
  const refused: string[] = []
  const everywhere = <T extends Named>(listIn: (namespace: string) => readonly T[]): T[] =>
    namespacesOf(stack).flatMap((namespace) => listIn(namespace).toSorted(byName))
  const accepted = <T extends Frozen<ServiceMonitor | PodMonitor | PrometheusRule>>(object: T) => {
    const problem = problemOf(object)
    if (problem !== undefined) refused.push(`${object.kind} ${keyOf(object)}: ${problem}`)
    return problem === undefined
  }
  const serviceMonitors = everywhere((namespace) => list(ServiceMonitor, { namespace }))
    .filter(({ metadata }) => selects(serviceMonitorSelector, metadata.labels))
    .filter(accepted)
  const podMonitors = everywhere((namespace) => list(PodMonitor, { namespace }))
    .filter(({ metadata }) => selects(podMonitorSelector, metadata.labels))
    .filter(accepted)
  const rules = everywhere((namespace) => list(PrometheusRule, { namespace }))
    .filter(({ metadata }) => selects(ruleSelector, metadata.labels))
    .filter(accepted)
    .map((object) => [fileOf('rules', object, 'yaml'), text({ groups: object.spec.groups ?? [] })])
  const dashboards = everywhere((namespace) => list(ConfigMap, { namespace }))
    .filter(({ metadata }) => metadata.labels?.[dashboardLabel] !== undefined)
    .flatMap((object) =>
      Object.entries(object.data ?? {}).flatMap(([key, content]) => {
        const problem = dashboardProblem(content)
        if (problem === undefined) return [[fileOf('dashboard', object, key), content]]
        refused.push(`ConfigMap ${keyOf(object)}: ${key} ${problem}`)
        return []
      }),
    )
  return {
    serviceMonitors,
    podMonitors,
    rules: Object.fromEntries(rules) as Record<string, string>,
    dashboards: Object.fromEntries(dashboards) as Record<string, string>,
    refused,
  }
}

interface Named {
  readonly metadata: { readonly name: string; readonly namespace: string }
}

function keyOf({ metadata }: Named): string {
  return `${metadata.namespace}/${metadata.name}`
}

/** Names of objects have no underscore, so the names of files are unique. */
function fileOf(what: string, { metadata }: Named, last: string): string {
  const separator = last.includes('.') ? '_' : '.'
  return `${what}_${metadata.namespace}_${metadata.name}${separator}${last}`
}

function byName(left: Named, right: Named): number {
  return left.metadata.name < right.metadata.name ? -1 : 1
}

/** JSON is YAML. */
export function text(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
