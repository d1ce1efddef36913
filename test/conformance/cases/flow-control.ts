import type { ConformanceCase, Request } from '../conformance-case.ts'
import { as, core, get, post, scenario, setup } from '../requests.ts'

const api = '/apis/flowcontrol.apiserver.k8s.io/v1'
const showHeaders = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid']
const show = ['kind', 'metadata.uid']
const read = (path: string, extra: Partial<Request> = {}): Request =>
  get(path, { ...extra, show, showHeaders })
const schema = (name: string): Request => read(`${api}/flowschemas/${name}`)
const level = (name: string): Request => read(`${api}/prioritylevelconfigurations/${name}`)

/** The headers that name the FlowSchema and the priority level of a request. */
export const flowControlCases: readonly ConformanceCase[] = [
  scenario('an administrator is exempt', [
    schema('exempt'),
    level('exempt'),
    read(core('configmaps')),
    read('/version'),
  ]),
  scenario('users have the levels of their groups', [
    ...['service-accounts', 'global-default', 'system-nodes', 'catch-all'].map(schema),
    ...['kube-controller-manager', 'system-leader-election', 'workload-leader-election'].map(
      schema,
    ),
    read(core('configmaps'), as('x')),
    read(core('configmaps'), as('system:serviceaccount:{ns}:default')),
    read(core('configmaps'), as('system:node:n', 'system:nodes')),
    read('/api/v1/nodes/n', as('system:node:n', 'system:nodes')),
    read(core('configmaps'), as('system:kube-controller-manager')),
    read(
      '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/a',
      as('system:kube-controller-manager'),
    ),
    read('/healthz', as('system:anonymous')),
    read('/openapi/v3/x', as('x')),
  ]),
  scenario('requests that are refused earlier have no level', [
    read(core('configmaps'), { headers: { authorization: 'Bearer x' } }),
    read(core('configmaps'), {
      headers: { authorization: 'Bearer viewer-token', 'impersonate-user': 'x' },
    }),
    read(core('configmaps'), { headers: { authorization: 'Bearer viewer-token' } }),
    read(`${core('pods')}/a/log`),
  ]),
  scenario(
    'a new schema counts by its precedence',
    [
      setup(
        post(`${api}/flowschemas`, {
          metadata: { name: 'case-{ns}' },
          spec: {
            matchingPrecedence: 7,
            priorityLevelConfiguration: { name: 'workload-low' },
            rules: [
              {
                subjects: [{ kind: 'User', user: { name: 'user-{ns}' } }],
                resourceRules: [
                  { verbs: ['list'], apiGroups: [''], resources: ['*'], namespaces: ['*'] },
                ],
                nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/version'] }],
              },
            ],
          },
        }),
      ),
      get(`${api}/flowschemas/case-{ns}`, {
        show,
        showHeaders,
        until: { path: 'status.conditions.0.status', value: 'False' },
      }),
      level('workload-low'),
      read(core('configmaps'), as('user-{ns}')),
      read(`${core('configmaps')}/a`, as('user-{ns}')),
      read('/version', as('user-{ns}')),
      read('/version', as('x')),
    ],
    { cleanup: [`${api}/flowschemas/case-{ns}`] },
  ),
]
