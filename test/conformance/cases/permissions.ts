import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  apply,
  as,
  configMap,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  post,
  put,
  scenario,
  setup,
} from '../requests.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const rbac = 'rbac.authorization.k8s.io'
const roles = grouped(`${rbac}/v1`, 'roles')
const bindings = grouped(`${rbac}/v1`, 'rolebindings')
const clusterRoles = `/apis/${rbac}/v1/clusterroles`
const clusterBindings = `/apis/${rbac}/v1/clusterrolebindings`
const jane = as('jane')
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
const role = (rules: JsonObject[]): Request =>
  setup(post(roles, { metadata: { name: 'r' }, rules }))
const bound = (
  subject: JsonObject = { kind: 'User', name: 'jane', apiGroup: rbac },
  roleRef: JsonObject = { kind: 'Role', name: 'r', apiGroup: rbac },
): Request => setup(post(bindings, { metadata: { name: 'r' }, subjects: [subject], roleRef }))
const allowed = (path: string, extra: Partial<Request> = jane): Request =>
  setup(get(path, { ...extra, until: { code: 200 } }))
const rule = (resources: string[], verbs: string[], extra: JsonObject = {}): JsonObject => ({
  apiGroups: [''],
  resources,
  verbs,
  ...extra,
})
const refusal = { show: ['code', 'reason', 'message', 'details', 'kind'] }
const review = (user: string, attributes: JsonObject, extra: JsonObject = {}): Request =>
  post(
    reviews,
    { spec: { user, resourceAttributes: { namespace: '{ns}', ...attributes }, ...extra } },
    { show: ['status.allowed', 'status.denied', 'message'] },
  )

/** Authorization in detail. */
export const permissionCases: readonly ConformanceCase[] = [
  scenario('a right to one name does not include others', [
    role([
      rule(
        ['configmaps'],
        ['get', 'update', 'patch', 'delete', 'list', 'watch', 'create', 'deletecollection'],
        { resourceNames: ['a'] },
      ),
    ]),
    bound(),
    setup(post(configMaps, configMap('a'))),
    allowed(`${configMaps}/a`),
    get(`${configMaps}/b`, jane),
    get(configMaps, jane),
    get(`${configMaps}?fieldSelector=metadata.name%3Da`, {
      ...jane,
      show: ['items.0.metadata.name', 'message'],
    }),
    get(`${configMaps}?fieldSelector=metadata.name%3Db`, jane),
    get(`${configMaps}?fieldSelector=metadata.name!%3Da`, jane),
    post(configMaps, configMap('a'), jane),
    put(`${configMaps}/a`, configMap('a', { k: 'w' }), { ...jane, show: ['data', 'message'] }),
    merge(`${configMaps}/b`, { data: {} }, jane),
    apply(
      `${configMaps}/b?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
      jane,
    ),
    del(configMaps, undefined, jane),
    del(`${configMaps}?fieldSelector=metadata.name%3Da`, undefined, {
      ...jane,
      show: ['kind', 'message'],
    }),
  ]),
  scenario('a right to a resource does not include its subresources', [
    role([{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['*'] }]),
    bound(),
    setup(post(deployments, deployment('d'))),
    allowed(`${deployments}/d`),
    get(`${deployments}/d/scale`, jane),
    merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }, jane),
    merge(`${deployments}/d/status`, { status: { replicas: 2 } }, jane),
    get(`${deployments}/d/status`, jane),
  ]),
  scenario('rights to subresources are given by name or by star', [
    role([
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get', 'update'] },
      { apiGroups: ['*'], resources: ['*/status'], verbs: ['get', 'patch'] },
    ]),
    bound(),
    setup(post(deployments, deployment('d'))),
    allowed(`${deployments}/d/scale`),
    get(`${deployments}/d`, jane),
    put(
      `${deployments}/d/scale`,
      { metadata: { name: 'd' }, spec: { replicas: 2 } },
      { ...jane, show: ['spec', 'message'] },
    ),
    merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }, jane),
    merge(
      `${deployments}/d/status`,
      { status: { replicas: 2 } },
      { ...jane, show: ['status', 'message'] },
    ),
    get(`${core('pods')}/none/status`, jane),
  ]),
  scenario('a create by apply or put needs the right to create', [
    role([
      rule(['configmaps'], ['get', 'patch', 'update']),
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        verbs: ['get', 'update', 'patch'],
      },
    ]),
    bound(),
    setup(post(configMaps, configMap('a'))),
    allowed(`${configMaps}/a`),
    apply(
      `${configMaps}/b?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
      jane,
    ),
    put(`${grouped('coordination.k8s.io/v1', 'leases')}/l`, { metadata: { name: 'l' } }, jane),
    apply(
      `${grouped('coordination.k8s.io/v1', 'leases')}/l?fieldManager=x`,
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } },
      jane,
    ),
  ]),
  scenario('groups, accounts and all users have rights', [
    role([rule(['configmaps'], ['list'])]),
    setup(
      post(bindings, {
        metadata: { name: 'g' },
        subjects: [
          { kind: 'Group', name: 'devs', apiGroup: rbac },
          { kind: 'ServiceAccount', name: 'robot', namespace: '{ns}' },
          { kind: 'Group', name: 'system:serviceaccounts:other', apiGroup: rbac },
        ],
        roleRef: { kind: 'Role', name: 'r', apiGroup: rbac },
      }),
    ),
    allowed(configMaps, as('joe', 'devs')),
    get(configMaps, { ...as('joe'), show: ['code', 'message'] }),
    get(configMaps, { ...as('system:serviceaccount:{ns}:robot'), show: ['kind', 'message'] }),
    get(configMaps, { ...as('system:serviceaccount:other:x'), show: ['kind', 'message'] }),
    get(configMaps, { ...as('system:serviceaccount:{ns}:other'), show: ['kind', 'message'] }),
  ]),
  scenario('a cluster role is bound in one namespace', [
    bound(
      { kind: 'User', name: 'jane', apiGroup: rbac },
      { kind: 'ClusterRole', name: 'system:aggregate-to-view', apiGroup: rbac },
    ),
    allowed(configMaps),
    get(core('secrets'), jane),
    get('/api/v1/configmaps', jane),
    get('/api/v1/namespaces/default/configmaps', jane),
    get('/api/v1/nodes', jane),
    get('/api/v1/namespaces/{ns}', { ...jane, show: ['kind', 'message'] }),
  ]),
  scenario('aggregated roles are empty without a controller', [
    ...['view', 'edit', 'admin'].map((name) =>
      get(`${clusterRoles}/${name}`, {
        show: ['metadata.name', 'metadata.labels', 'aggregationRule', 'rules'],
      }),
    ),
  ]),
  scenario('reviews follow the rules', [
    role([
      rule(['configmaps'], ['get'], { resourceNames: ['a'] }),
      rule(['pods', 'pods/log'], ['get', 'list']),
      { apiGroups: ['apps'], resources: ['*'], verbs: ['list'] },
      rule(['secrets'], ['*']),
    ]),
    bound(),
    allowed(core('pods')),
    review('jane', { verb: 'get', resource: 'configmaps', name: 'a' }),
    review('jane', { verb: 'get', resource: 'configmaps', name: 'b' }),
    review('jane', { verb: 'get', resource: 'configmaps' }),
    review('jane', { verb: 'get', resource: 'pods', subresource: 'log' }),
    review('jane', { verb: 'get', resource: 'pods', subresource: 'exec' }),
    review('jane', { verb: 'list', group: 'apps', resource: 'anything' }),
    review('jane', { verb: 'list', group: 'apps', resource: 'anything', subresource: 'x' }),
    review('jane', { verb: 'nonsense', resource: 'secrets' }),
    review('jane', { verb: '*', resource: 'secrets' }),
    review('jane', { verb: '*', resource: 'pods' }),
    review('jane', { verb: 'get', resource: '*' }),
    review('jane', { verb: 'get', resource: 'secrets', namespace: 'elsewhere' }),
    review('joe', { verb: 'get', resource: 'secrets' }, { groups: ['system:masters'] }),
  ]),
  scenario(
    'a cluster role about paths',
    [
      setup(
        post(clusterRoles, {
          metadata: { name: '{ns}-paths' },
          rules: [{ nonResourceURLs: ['/metrics', '/logs/*'], verbs: ['get'] }],
        }),
      ),
      setup(
        post(clusterBindings, {
          metadata: { name: '{ns}-paths' },
          subjects: [{ kind: 'User', name: 'jane-{ns}', apiGroup: rbac }],
          roleRef: { kind: 'ClusterRole', name: '{ns}-paths', apiGroup: rbac },
        }),
      ),
      allowed('/metrics', as('jane-{ns}')),
      post(
        reviews,
        { spec: { user: 'jane-{ns}', nonResourceAttributes: { path: '/logs/x', verb: 'get' } } },
        { show: ['status.allowed'] },
      ),
      post(
        reviews,
        { spec: { user: 'jane-{ns}', nonResourceAttributes: { path: '/logs', verb: 'get' } } },
        { show: ['status.allowed'] },
      ),
      post(
        reviews,
        { spec: { user: 'jane-{ns}', nonResourceAttributes: { path: '/metrics', verb: 'post' } } },
        { show: ['status.allowed'] },
      ),
      post(
        reviews,
        { spec: { user: 'jane-{ns}', nonResourceAttributes: { path: '/metrics/x', verb: 'get' } } },
        { show: ['status.allowed'] },
      ),
    ],
    { cleanup: [`${clusterRoles}/{ns}-paths`, `${clusterBindings}/{ns}-paths`] },
  ),
  scenario(
    'cluster roles are validated',
    [
      post(`${clusterRoles}?dryRun=All`, {
        metadata: { name: 'x' },
        rules: [{ verbs: ['get'], nonResourceURLs: ['/a'], resources: ['b'], apiGroups: [''] }],
      }),
      post(`${clusterRoles}?dryRun=All`, {
        metadata: { name: 'x' },
        rules: [{ verbs: [], nonResourceURLs: ['/a'] }],
      }),
      post(`${clusterRoles}?dryRun=All`, {
        metadata: { name: 'x' },
        rules: [
          { verbs: ['get'], apiGroups: [''] },
          { verbs: ['get'], resources: ['a'] },
        ],
      }),
      post(`${clusterRoles}?dryRun=All`, {
        metadata: { name: 'x' },
        aggregationRule: { clusterRoleSelectors: [] },
      }),
      post(`${clusterRoles}?dryRun=All`, {
        metadata: { name: 'x' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        rules: [rule(['pods'], ['get'])],
      }),
      post(`${clusterRoles}?dryRun=All`, { metadata: { name: 'a/b' } }),
      post(`${clusterRoles}?dryRun=All`, { metadata: { name: 'system:x:y' } }),
      post(`${clusterBindings}?dryRun=All`, {
        metadata: { name: 'x' },
        roleRef: { kind: 'Role', name: 'x', apiGroup: rbac },
      }),
      post(`${clusterBindings}?dryRun=All`, {
        metadata: { name: 'x' },
        roleRef: { kind: 'ClusterRole', name: 'x' },
        subjects: [
          { kind: 'ServiceAccount', name: 'x' },
          { kind: 'User', name: '' },
          { kind: 'Group', name: 'g', apiGroup: 'x' },
          { kind: 'User', name: 'u', namespace: 'n' },
        ],
      }),
      put(`${clusterRoles}/{ns}-new`, { metadata: { name: '{ns}-new' }, rules: [] }),
      put(`${clusterRoles}/{ns}-new?dryRun=All`, {
        metadata: { name: '{ns}-new' },
        aggregationRule: { clusterRoleSelectors: [{}] },
      }),
    ],
    { cleanup: [`${clusterRoles}/{ns}-new`] },
  ),
  scenario('a binding needs the right to bind or all rights of the role', [
    role([
      { apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs: ['*'] },
      rule(['configmaps'], ['get']),
    ]),
    bound(),
    allowed(roles),
    post(
      roles,
      { metadata: { name: 'same' }, rules: [rule(['configmaps'], ['get'])] },
      { ...jane, ...refusal },
    ),
    post(
      roles,
      { metadata: { name: 'more' }, rules: [rule(['configmaps'], ['get', 'list'])] },
      { ...jane, ...refusal },
    ),
    post(
      roles,
      {
        metadata: { name: 'named' },
        rules: [rule(['configmaps'], ['get'], { resourceNames: ['x'] })],
      },
      { ...jane, ...refusal },
    ),
    post(
      roles,
      { metadata: { name: 'other' }, rules: [rule(['secrets', 'pods'], ['get', 'list'])] },
      { ...jane, ...refusal },
    ),
    merge(`${roles}/r`, { rules: [rule(['secrets'], ['get'])] }, { ...jane, ...refusal }),
    merge(
      `${roles}/r`,
      { metadata: { labels: { a: 'b' } } },
      { ...jane, show: ['metadata.labels', 'message'] },
    ),
    post(
      bindings,
      {
        metadata: { name: 'self' },
        subjects: [{ kind: 'User', name: 'joe', apiGroup: rbac }],
        roleRef: { kind: 'Role', name: 'r', apiGroup: rbac },
      },
      { ...jane, ...refusal },
    ),
    post(
      bindings,
      {
        metadata: { name: 'none' },
        subjects: [],
        roleRef: { kind: 'Role', name: 'none', apiGroup: rbac },
      },
      { ...jane, ...refusal },
    ),
    post(
      `${bindings}?dryRun=All`,
      {
        metadata: { name: 'none' },
        subjects: [],
        roleRef: { kind: 'ClusterRole', name: 'none', apiGroup: rbac },
      },
      { ...jane, ...refusal },
    ),
  ]),
  scenario('the verb bind or escalate is enough', [
    role([
      {
        apiGroups: [rbac],
        resources: ['roles', 'rolebindings', 'clusterroles'],
        verbs: ['create', 'get', 'list', 'bind', 'escalate'],
      },
    ]),
    bound(),
    allowed(roles),
    post(
      roles,
      { metadata: { name: 'more' }, rules: [rule(['configmaps'], ['get', 'list'])] },
      { ...jane, ...refusal },
    ),
    post(
      bindings,
      {
        metadata: { name: 'b' },
        subjects: [{ kind: 'User', name: 'joe', apiGroup: rbac }],
        roleRef: { kind: 'ClusterRole', name: 'admin', apiGroup: rbac },
      },
      { ...jane, ...refusal },
    ),
  ]),
  scenario('impersonation supports users, groups, uids and extras', [
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-uid': 'u-1',
          'impersonate-group': 'devs',
          'impersonate-extra-a': 'b',
          'impersonate-extra-example.com%2fc': 'd',
        },
      },
    ),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers: { 'impersonate-user': 'system:anonymous' } },
    ),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:unauthenticated' } },
    ),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      {
        headers: {
          'impersonate-user': 'system:serviceaccount:{ns}:default',
          'impersonate-group': 'devs',
        },
      },
    ),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers: { 'impersonate-user': 'system:serviceaccount:x' } },
    ),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { headers: { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' } },
    ),
    get(configMaps, { headers: { 'impersonate-uid': 'u' } }),
    get(configMaps, { headers: { 'impersonate-extra-a': 'b' } }),
    get(configMaps, { headers: { 'impersonate-user': '' } }),
  ]),
  scenario(
    'impersonation needs a right for each part',
    [
      setup(
        post(clusterRoles, {
          metadata: { name: '{ns}-imp' },
          rules: [
            {
              apiGroups: [''],
              resources: ['users'],
              verbs: ['impersonate'],
              resourceNames: ['joe'],
            },
            {
              apiGroups: [''],
              resources: ['groups'],
              verbs: ['impersonate'],
              resourceNames: ['devs'],
            },
          ],
        }),
      ),
      setup(
        post(clusterBindings, {
          metadata: { name: '{ns}-imp' },
          subjects: [{ kind: 'User', name: 'viewer', apiGroup: rbac }],
          roleRef: { kind: 'ClusterRole', name: '{ns}-imp', apiGroup: rbac },
        }),
      ),
      setup(
        post(
          '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          {},
          {
            headers: { authorization: 'Bearer viewer-token', 'impersonate-user': 'joe' },
            until: { code: 201 },
          },
        ),
      ),
      ...[
        { 'impersonate-user': 'joe' },
        { 'impersonate-user': 'joe', 'impersonate-group': 'devs' },
        { 'impersonate-user': 'joe', 'impersonate-group': 'ops' },
        { 'impersonate-user': 'jim' },
        { 'impersonate-user': 'joe', 'impersonate-uid': 'u' },
        { 'impersonate-user': 'joe', 'impersonate-extra-a': 'b' },
        { 'impersonate-user': 'system:serviceaccount:{ns}:default' },
      ].map((headers) =>
        post(
          '/apis/authentication.k8s.io/v1/selfsubjectreviews',
          {},
          {
            headers: { authorization: 'Bearer viewer-token', ...headers },
          },
        ),
      ),
    ],
    { cleanup: [`${clusterRoles}/{ns}-imp`, `${clusterBindings}/{ns}-imp`] },
  ),
]
