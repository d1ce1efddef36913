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

/** Roles that are made of others. */
export const clusterRoleScenarios: readonly Scenario[] = [
  {
    name: 'a role has the rules of those it selects',
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
    name: 'rules that no longer belong to it go',
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
    name: 'a rule that two roles have is there once',
    kinds,
    steps: [part('a', 'pods'), part('b', 'pods'), whole, { read: 'once' }],
  },
]
