import type { ConformanceCase } from '../conformance-case.ts'
import { as, configMap, core, del, get, grouped, post, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')
const rbac = 'rbac.authorization.k8s.io'
const roles = grouped(`${rbac}/v1`, 'roles')
const bindings = grouped(`${rbac}/v1`, 'rolebindings')
const reading = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }
const jane = as('jane')
const role = setup(post(roles, { metadata: { name: 'reader' }, rules: [reading] }))
const binding = setup(
  post(bindings, {
    metadata: { name: 'reader' },
    subjects: [{ kind: 'User', name: 'jane', apiGroup: rbac }],
    roleRef: { kind: 'Role', name: 'reader', apiGroup: rbac },
  }),
)
const allowed = setup(get(configMaps, { ...jane, until: { code: 200 } }))
const reviews = '/apis/authorization.k8s.io/v1'
const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
})

/** Authorization. */
export const accessCases: readonly ConformanceCase[] = [
  scenario('a user without rights is refused by verb, resource and namespace', [
    get(configMaps, jane),
    get(`${configMaps}/a`, jane),
    post(configMaps, configMap('a'), jane),
    del(`${configMaps}/a`, undefined, jane),
    get('/api/v1/nodes', jane),
    get('/apis/apps/v1/deployments', jane),
    get('/metrics', jane),
    get(`${core('pods')}/p/log`, jane),
  ]),
  scenario('a role grants exactly its rules', [
    role,
    binding,
    allowed,
    get(configMaps, jane),
    post(configMaps, configMap('a'), jane),
    get(core('secrets'), jane),
  ]),
  scenario('a group has rights', [get('/api/v1/nodes', as('joe', 'system:masters'))]),
  scenario('every authenticated user may use discovery', [
    get('/api', { ...jane, show: ['kind'] }),
    get('/version', { ...jane, show: ['major'] }),
    get('/healthz', jane),
  ]),
  scenario('a user cannot grant rights that the user does not have', [
    setup(
      post(roles, {
        metadata: { name: 'maker' },
        rules: [{ apiGroups: [rbac], resources: ['roles', 'rolebindings'], verbs: ['*'] }],
      }),
    ),
    setup(
      post(bindings, {
        metadata: { name: 'maker' },
        subjects: [{ kind: 'User', name: 'jane', apiGroup: rbac }],
        roleRef: { kind: 'Role', name: 'maker', apiGroup: rbac },
      }),
    ),
    setup(get(roles, { ...jane, until: { code: 200 } })),
    post(roles, { metadata: { name: 'more' }, rules: [reading] }, jane),
    post(
      bindings,
      {
        metadata: { name: 'more' },
        subjects: [],
        roleRef: { kind: 'ClusterRole', name: 'view', apiGroup: rbac },
      },
      { ...jane, show: ['code', 'reason', 'details'] },
    ),
  ]),
  scenario('a role reference cannot change', [
    role,
    binding,
    {
      method: 'PUT',
      path: `${bindings}/reader`,
      body: {
        metadata: { name: 'reader' },
        roleRef: { kind: 'Role', name: 'other', apiGroup: rbac },
      },
    },
  ]),
  scenario('an invalid role and binding are refused with the same message', [
    post(roles, {
      metadata: { name: 'r' },
      rules: [{ verbs: [] }, { verbs: ['get'], nonResourceURLs: ['/x'] }],
    }),
    post(bindings, {
      metadata: { name: 'r' },
      subjects: [{ kind: 'Thing', name: '' }],
      roleRef: { kind: 'Other', name: '', apiGroup: 'x' },
    }),
    post(bindings, {
      metadata: { name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'default' }],
      roleRef: { kind: 'Role', name: 'x', apiGroup: rbac },
    }),
  ]),
  scenario('an access review answers whether the user may do something', [
    role,
    binding,
    allowed,
    post(
      `${reviews}/selfsubjectaccessreviews`,
      { spec: { resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'configmaps' } } },
      jane,
    ),
    post(
      `${reviews}/selfsubjectaccessreviews`,
      {
        spec: { resourceAttributes: { namespace: '{ns}', verb: 'delete', resource: 'configmaps' } },
      },
      jane,
    ),
    post(`${reviews}/subjectaccessreviews`, {
      spec: {
        user: 'jane',
        resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'configmaps' },
      },
    }),
    post(grouped('authorization.k8s.io/v1', 'localsubjectaccessreviews'), {
      metadata: { namespace: '{ns}' },
      spec: {
        user: 'jane',
        resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'configmaps' },
      },
    }),
    post(`${reviews}/subjectaccessreviews`, {
      spec: { user: 'jane', nonResourceAttributes: { path: '/secret', verb: 'get' } },
    }),
    post(`${reviews}/subjectaccessreviews`, { spec: {} }),
  ]),
  scenario('an administrator may do everything', [
    post(`${reviews}/selfsubjectaccessreviews`, {
      spec: { resourceAttributes: { verb: '*', resource: '*', group: '*' } },
    }),
  ]),
  scenario('a self subject review returns the user', [
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-group': 'devs',
          'impersonate-extra-scopes': 'a',
        },
      },
    ),
  ]),
  scenario('impersonation needs a user', [
    get(configMaps, { headers: { 'impersonate-group': 'devs' } }),
  ]),
  scenario('impersonation needs a right', [
    role,
    binding,
    allowed,
    get(configMaps, {
      headers: { authorization: 'Bearer viewer-token', 'impersonate-user': 'joe' },
      show: [],
    }),
  ]),
  scenario('a service account is impersonated with its groups', [
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      as('system:serviceaccount:{ns}:default'),
    ),
  ]),
  scenario('an unknown token is 401', [
    get(configMaps, bearer('nonsense')),
    get(configMaps, bearer('a.b.c')),
  ]),
  scenario('a token of a service account authenticates requests', [
    post(
      `${core('serviceaccounts')}/default/token`,
      { spec: { expirationSeconds: 3600 } },
      {
        capture: { token: 'status.token' },
        show: ['kind', 'metadata.name', 'spec.expirationSeconds'],
      },
    ),
    get(configMaps, bearer('{token}')),
    post(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {},
      { ...bearer('{token}'), show: ['status.userInfo.username', 'status.userInfo.groups'] },
    ),
    post(
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { spec: { token: '{token}' } },
      { show: ['status.authenticated', 'status.user.username', 'status.audiences'] },
    ),
    post(
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { spec: { token: 'nonsense' } },
      { show: ['status.authenticated', 'status.user'] },
    ),
  ]),
  ...(['Pod', 'Secret'] as const).map((kind) =>
    scenario(`a token that is bound to a ${kind} becomes invalid with it`, [
      setup(
        post(core(`${kind.toLowerCase()}s`), {
          metadata: { name: 'bound' },
          ...(kind === 'Pod' ? { spec: { containers: [{ name: 'c', image: 'i' }] } } : {}),
        }),
      ),
      setup(get(`${core(`${kind.toLowerCase()}s`)}/bound`, { capture: { uid: 'metadata.uid' } })),
      setup(
        post(
          `${core('serviceaccounts')}/default/token`,
          {
            spec: {
              boundObjectRef: { apiVersion: 'v1', kind, name: 'bound', uid: '{uid}' },
            },
          },
          { capture: { token: 'status.token' } },
        ),
      ),
      get(configMaps, { ...bearer('{token}'), show: ['code', 'reason'] }),
      setup(del(`${core(`${kind.toLowerCase()}s`)}/bound`, { gracePeriodSeconds: 0 })),
      get(configMaps, { ...bearer('{token}'), until: { code: 401 }, show: ['code', 'reason'] }),
    ]),
  ),
  scenario('a token with other characters is invalid', [
    setup(
      post(
        `${core('serviceaccounts')}/default/token`,
        { spec: {} },
        { capture: { token: 'status.token' } },
      ),
    ),
    ...['==', '=', '.', '.a', '%20', '+', '/'].map((end) =>
      get(configMaps, { ...bearer(`{token}${end}`), show: ['code', 'reason'] }),
    ),
  ]),
  scenario('a token that is too short is refused', [
    post(`${core('serviceaccounts')}/default/token`, { spec: { expirationSeconds: 5 } }),
  ]),
  scenario('a token request for a missing account is 404', [
    post(`${core('serviceaccounts')}/absent/token`, { spec: {} }),
  ]),
  scenario('a pod needs its account', [
    post(core('pods'), {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'absent', containers: [{ name: 'c', image: 'i' }] },
    }),
  ]),
]
