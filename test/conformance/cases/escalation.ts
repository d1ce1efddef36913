import type { JsonObject, JsonValue } from 'setpoint/schema'
import type { ConformanceCase, Step } from '../conformance-case.ts'
import { as, get, grouped, merge, post, put, scenario, setup } from '../requests.ts'

const rbac = 'rbac.authorization.k8s.io'
const roles = grouped(`${rbac}/v1`, 'roles')
const bindings = grouped(`${rbac}/v1`, 'rolebindings')
const clusterRoles = `/apis/${rbac}/v1/clusterroles`
const clusterBindings = `/apis/${rbac}/v1/clusterrolebindings`
const managing = {
  apiGroups: [rbac],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  verbs: ['get', 'list', 'create', 'update', 'patch'],
}
const jane = as('jane-{ns}')
const subject = { kind: 'User', name: 'jane-{ns}', apiGroup: rbac }

function refTo(kind: 'Role' | 'ClusterRole', name: string): JsonObject {
  return { kind, name, apiGroup: rbac }
}

/** Gives jane these rules, in the namespace of the case. */
function granted(...rules: readonly JsonObject[]): Step[] {
  return [
    setup(post(roles, { metadata: { name: 'held' }, rules: [managing, ...rules] })),
    setup(
      post(bindings, {
        metadata: { name: 'held' },
        subjects: [subject],
        roleRef: refTo('Role', 'held'),
      }),
    ),
    setup(get(roles, { ...jane, until: { code: 200 } })),
  ]
}

/** Gives jane these rules in the whole cluster. */
function grantedEverywhere(...rules: readonly JsonObject[]): Step[] {
  return [
    setup(post(clusterRoles, { metadata: { name: 'held-{ns}' }, rules: [managing, ...rules] })),
    setup(
      post(clusterBindings, {
        metadata: { name: 'held-{ns}' },
        subjects: [subject],
        roleRef: refTo('ClusterRole', 'held-{ns}'),
      }),
    ),
    setup(get(clusterRoles, { ...jane, until: { code: 200 } })),
  ]
}

const clusterWide = {
  cleanup: ['held', 'made', 'other'].flatMap((name) => [
    `${clusterRoles}/${name}-{ns}`,
    `${clusterBindings}/${name}-{ns}`,
  ]),
}

/** Rules that a user of a namespace has, and tries to grant. */
const rules: Readonly<Record<string, JsonObject>> = {
  'read pods': { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
  'delete pods': { apiGroups: [''], resources: ['pods'], verbs: ['delete'] },
  'all verbs of pods': { apiGroups: [''], resources: ['pods'], verbs: ['*'] },
  'all resources': { apiGroups: [''], resources: ['*'], verbs: ['get'] },
  'all groups': { apiGroups: ['*'], resources: ['pods'], verbs: ['get', 'list'] },
  'pod logs': { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  'all logs': { apiGroups: [''], resources: ['*/log'], verbs: ['get'] },
  'one pod': { apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] },
  'two pods': { apiGroups: [''], resources: ['pods'], resourceNames: ['a', 'b'], verbs: ['get'] },
  'two groups': {
    apiGroups: ['', 'apps'],
    resources: ['pods', 'deployments'],
    verbs: ['list', 'get'],
  },
}

const combinations = Object.entries(rules).map(([held, rule]) =>
  scenario(`a user who may ${held} creates roles`, [
    ...granted(rule),
    ...Object.values(rules).map((wanted, index) =>
      post(roles, { metadata: { name: `made-${index}` }, rules: [wanted] }, jane),
    ),
    post(roles, { metadata: { name: 'all' }, rules: Object.values(rules) }, jane),
  ]),
)

const paths: Readonly<Record<string, JsonValue>> = {
  'one path': ['/logs'],
  'a prefix': ['/logs*'],
  'a deeper prefix': ['/logs/a*'],
  'all paths': ['*'],
}

const pathCombinations = Object.entries(paths).map(([held, nonResourceURLs]) =>
  scenario(
    `a user who may get ${held} creates cluster roles`,
    [
      ...grantedEverywhere({ nonResourceURLs, verbs: ['get'] }),
      ...Object.values(paths).map((wanted) =>
        post(
          clusterRoles,
          {
            metadata: { name: 'made-{ns}' },
            rules: [{ nonResourceURLs: wanted, verbs: ['get', 'head'] }],
          },
          jane,
        ),
      ),
    ],
    clusterWide,
  ),
)

const readPods = rules['read pods'] ?? {}
const onRoles = (verb: string, names: JsonObject = {}): JsonObject => ({
  apiGroups: [rbac],
  resources: ['roles', 'clusterroles'],
  verbs: [verb],
  ...names,
})

/** Who may grant which rights. */
export const escalationCases: readonly ConformanceCase[] = [
  ...combinations,
  ...pathCombinations,
  scenario('an update of a role is checked even if its rules are the same', [
    ...granted(),
    setup(post(roles, { metadata: { name: 'made' }, rules: [readPods] })),
    merge(`${roles}/made`, { metadata: { labels: { a: 'b' } } }, jane),
    merge(`${roles}/made`, { metadata: { annotations: { a: 'b' } } }, jane),
    merge(`${roles}/made`, { rules: [] }, jane),
    merge(`${roles}/made`, { metadata: { labels: { a: 'c' } } }, jane),
  ]),
  scenario('an update of owner references, finalizers or nothing is not checked', [
    ...granted(),
    setup(post(roles, { metadata: { name: 'made' }, rules: [readPods] })),
    merge(`${roles}/made`, {}, jane),
    merge(`${roles}/made`, { metadata: { finalizers: ['example.com/a'] } }, jane),
    merge(`${roles}/made`, { metadata: { finalizers: null, labels: { a: 'b' } } }, jane),
    setup(merge(`${roles}/made`, { metadata: { finalizers: null } })),
  ]),
  scenario('escalate allows to grant more, for all roles or for one', [
    ...granted(onRoles('escalate', { resourceNames: ['made'] })),
    post(roles, { metadata: { name: 'other' }, rules: [readPods] }, jane),
    post(roles, { metadata: { name: 'made' }, rules: [readPods] }, jane),
    merge(`${roles}/made`, { rules: [{ ...readPods, verbs: ['*'] }] }, jane),
  ]),
  scenario('bind allows to bind a role, for all roles or for one', [
    ...granted(onRoles('bind', { resourceNames: ['made'] })),
    setup(post(roles, { metadata: { name: 'made' }, rules: [readPods] })),
    setup(post(roles, { metadata: { name: 'other' }, rules: [readPods] })),
    ...['other', 'made'].map((name) =>
      post(bindings, { metadata: { name }, roleRef: refTo('Role', name) }, jane),
    ),
  ]),
  scenario('a binding of a role that does not exist is refused', [
    ...granted(),
    post(bindings, { metadata: { name: 'a' }, roleRef: refTo('Role', 'later') }, jane),
    post(bindings, { metadata: { name: 'a' }, roleRef: refTo('ClusterRole', 'later') }, jane),
    post(bindings, { metadata: { name: 'a' }, roleRef: refTo('Role', 'later') }),
  ]),
  scenario('a user with bind may bind a role that does not exist', [
    ...granted(onRoles('bind')),
    post(bindings, { metadata: { name: 'a' }, roleRef: refTo('Role', 'later') }, jane),
  ]),
  scenario('an update of a binding is checked', [
    ...granted(),
    setup(post(roles, { metadata: { name: 'made' }, rules: [readPods] })),
    setup(post(bindings, { metadata: { name: 'made' }, roleRef: refTo('Role', 'made') })),
    merge(`${bindings}/made`, { metadata: { labels: { a: 'b' } } }, jane),
    merge(`${bindings}/made`, { subjects: [subject] }, jane),
    merge(`${bindings}/made`, { metadata: { finalizers: ['example.com/a'] } }, jane),
    setup(merge(`${bindings}/made`, { metadata: { finalizers: null } })),
  ]),
  scenario(
    'an aggregation rule needs all rights',
    [
      ...grantedEverywhere(),
      post(
        clusterRoles,
        {
          metadata: { name: 'made-{ns}' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        },
        jane,
      ),
      setup(post(clusterRoles, { metadata: { name: 'other-{ns}' }, rules: [] })),
      merge(
        `${clusterRoles}/other-{ns}`,
        { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
        jane,
      ),
      merge(`${clusterRoles}/other-{ns}`, { metadata: { labels: { a: 'b' } } }, jane),
    ],
    clusterWide,
  ),
  scenario(
    'an aggregation rule cannot be removed without all rights',
    [
      ...grantedEverywhere(),
      setup(
        post(clusterRoles, {
          metadata: { name: 'made-{ns}' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'no-such': 'label' } }] },
        }),
      ),
      merge(`${clusterRoles}/made-{ns}`, { aggregationRule: null }, jane),
      merge(`${clusterRoles}/made-{ns}`, { metadata: { labels: { a: 'b' } } }, jane),
    ],
    clusterWide,
  ),
  scenario(
    'a user with all rights uses an aggregation rule',
    [
      ...grantedEverywhere(
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ),
      post(
        clusterRoles,
        {
          metadata: { name: 'made-{ns}' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'no-such': 'label' } }] },
        },
        jane,
      ),
    ],
    clusterWide,
  ),
  scenario(
    'a user with few rights cannot change a powerful cluster role',
    [
      ...grantedEverywhere(),
      merge(
        `${clusterRoles}/cluster-admin`,
        { metadata: { labels: { 'example.com/a': 'b' } } },
        jane,
      ),
      post(
        clusterBindings,
        { metadata: { name: 'made-{ns}' }, roleRef: refTo('ClusterRole', 'cluster-admin') },
        jane,
      ),
      post(
        clusterBindings,
        { metadata: { name: 'made-{ns}' }, roleRef: refTo('ClusterRole', 'later-{ns}') },
        jane,
      ),
    ],
    clusterWide,
  ),
  scenario('rights in a namespace do not count for cluster roles', [
    ...granted(readPods),
    post(clusterRoles, { metadata: { name: 'made-{ns}' }, rules: [readPods] }, jane),
  ]),
  scenario('an invalid role is refused for its rights first', [
    ...granted(),
    post(roles, { metadata: { name: 'made' }, rules: [readPods, { verbs: [] }] }, jane),
    put(`${roles}/held`, { metadata: { name: 'held' }, rules: [{ verbs: [] }] }, jane),
  ]),
]
