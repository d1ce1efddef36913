import type { JsonObject } from 'setpoint/schema'
import type { Scenario, Step } from '../scenario.ts'

const kinds = ['ClusterRole']
const rule = (resource: string): JsonObject => ({
  apiGroups: [''],
  resources: [resource],
  verbs: ['get'],
})
const part = (name: string, resource: string, group = '{ns}'): Step => ({
  create: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `{ns}-${name}`, labels: { joins: group } },
    rules: [rule(resource)],
  },
})
const whole: Step = {
  create: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: '{ns}-whole' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { joins: '{ns}' } }] },
  },
}

/** Aggregated ClusterRoles. */
export const clusterRoleScenarios: readonly Scenario[] = [
  {
    name: 'aggregates the rules of selected roles',
    kinds,
    steps: [
      part('b', 'pods'),
      part('a', 'services'),
      part('c', 'nodes', 'other'),
      whole,
      { read: 'joined' },
      part('d', 'secrets'),
      { read: 'one more' },
    ],
  },
  {
    name: 'removes rules of roles that are no longer selected',
    kinds,
    steps: [
      part('a', 'pods'),
      part('b', 'services'),
      whole,
      { patch: 'ClusterRole/{ns}-a', with: { metadata: { labels: { joins: 'nobody' } } } },
      { read: 'one less' },
      { patch: 'ClusterRole/{ns}-whole', with: { rules: [rule('secrets')] } },
      { read: 'written by hand' },
    ],
  },
  {
    name: 'adds a rule of two roles once',
    kinds,
    steps: [part('a', 'pods'), part('b', 'pods'), whole, { read: 'once' }],
  },
]
