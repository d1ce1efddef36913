import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase } from '../conformance-case.ts'
import { apply, core, deployment, get, grouped, merge, post, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')
const deployments = grouped('apps/v1', 'deployments')
const map = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
})
const by = (manager: string, extra = ''): string =>
  `${configMaps}/a?fieldManager=${manager}${extra}`
const workload = (spec: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...deployment('d', spec),
})
const containers = (...list: JsonObject[]): JsonObject =>
  workload({ template: { metadata: { labels: { app: 'd' } }, spec: { containers: list } } })
const main = { name: 'main', image: 'a' }
const side = { name: 'side', image: 'b' }
const service = (...ports: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports },
})

/** Server-side apply. */
export const applyingCases: readonly ConformanceCase[] = [
  scenario('an apply creates', [apply(by('one'), map({ k: 'v' })), get(`${configMaps}/a`)]),
  scenario('the same apply again changes nothing', [
    apply(by('one'), map({ k: 'v' })),
    apply(by('one'), map({ k: 'v' })),
  ]),
  scenario('fields that an apply no longer has are removed', [
    apply(by('one'), map({ k: 'v', l: 'w' })),
    apply(by('one'), map({ k: 'v' })),
  ]),
  scenario('two managers share an object', [
    apply(by('one'), map({ k: 'v' })),
    apply(by('two'), map({ l: 'w' })),
    apply(by('one'), map({})),
  ]),
  scenario('the same value can have two owners', [
    apply(by('one'), map({ k: 'v' })),
    apply(by('two'), map({ k: 'v' })),
    apply(by('one'), map({})),
  ]),
  scenario('another value is a conflict', [
    apply(by('one'), map({ k: 'v', l: 'w' })),
    apply(by('two'), map({ k: 'x', l: 'y' })),
  ]),
  scenario('a forced apply resolves a conflict', [
    apply(by('one'), map({ k: 'v' })),
    apply(by('two', '&force=true'), map({ k: 'x' })),
  ]),
  scenario('an update takes fields', [
    apply(by('one'), map({ k: 'v' })),
    merge(by('two'), { data: { k: 'w' } }),
    apply(by('one'), map({ k: 'v' })),
  ]),
  scenario('an update and an apply of one manager are two entries', [
    apply(by('one'), map({ k: 'v' })),
    merge(by('one'), { data: { l: 'w' } }),
  ]),
  scenario('an apply without a manager is refused', [apply(`${configMaps}/a`, map({}))]),
  scenario('an apply of another name is refused', [
    apply(`${configMaps}/b?fieldManager=one`, map({})),
  ]),
  scenario('an apply without a name is refused', [
    apply(by('one'), { apiVersion: 'v1', kind: 'ConfigMap', data: { k: 'v' } }),
  ]),
  scenario('an apply without a kind is refused', [apply(by('one'), { metadata: { name: 'a' } })]),
  scenario('an apply of another kind is refused', [
    apply(by('one'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
  ]),
  scenario('an apply with managed fields is refused', [
    apply(
      by('one'),
      map({}, { managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1' }] }),
    ),
  ]),
  scenario('an apply with the uid of a missing object is a conflict', [
    apply(by('one'), map({}, { uid: '00000000-0000-0000-0000-000000000001' })),
  ]),
  scenario('an apply with an old revision is a conflict', [
    apply(by('one'), map({ k: 'v' })),
    apply(by('one'), map({ k: 'w' }, { resourceVersion: '1' })),
  ]),
  scenario('an unknown field of an apply is refused', [apply(by('one'), { ...map({}), nope: 1 })]),
  scenario('a wrong type in an apply is refused', [apply(by('one'), map({ k: 1 }))]),
  scenario('a dry run of an apply is not stored', [
    apply(by('one', '&dryRun=All'), map({ k: 'v' })),
    get(`${configMaps}/a`),
  ]),
  scenario('an apply can be YAML', [
    {
      method: 'PATCH',
      path: by('one'),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "1"}\n' },
    },
  ]),
  scenario('an apply that is not YAML is refused', [
    {
      method: 'PATCH',
      path: by('one'),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { text: '{' },
    },
  ]),
  scenario('finalizers are a set', [
    apply(by('one'), map({}, { finalizers: ['example.com/a'] })),
    apply(by('two'), map({}, { finalizers: ['example.com/b'] })),
    apply(by('one'), map({})),
  ]),
  scenario('owners are a map by uid', [
    apply(
      by('one'),
      map(
        {},
        {
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Pod',
              name: 'p',
              uid: '00000000-0000-0000-0000-000000000001',
            },
          ],
        },
      ),
    ),
    apply(
      by('two'),
      map(
        {},
        {
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Pod',
              name: 'q',
              uid: '00000000-0000-0000-0000-000000000002',
            },
          ],
        },
      ),
    ),
  ]),
  scenario('containers are a map by name', [
    apply(`${deployments}/d?fieldManager=one`, containers(main)),
    apply(`${deployments}/d?fieldManager=two`, containers(side)),
    apply(
      `${deployments}/d?fieldManager=two`,
      containers({
        ...side,
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      }),
    ),
    apply(
      `${deployments}/d?fieldManager=two`,
      containers({ ...side, env: [{ name: 'B', value: '2' }] }),
    ),
  ]),
  scenario('a removed container is deleted', [
    apply(`${deployments}/d?fieldManager=one`, containers(main, side)),
    apply(`${deployments}/d?fieldManager=one`, containers(main)),
  ]),
  scenario('the same container twice is refused', [
    apply(`${deployments}/d?fieldManager=one`, containers(main, main)),
  ]),
  scenario('a container without its key is refused', [
    apply(`${deployments}/d?fieldManager=one`, containers({ image: 'x' })),
  ]),
  scenario('ports of services are a map by port and protocol', [
    apply(`${core('services')}/s?fieldManager=one`, service({ name: 'a', port: 80 })),
    apply(
      `${core('services')}/s?fieldManager=two`,
      service({ name: 'b', port: 80, protocol: 'UDP' }),
    ),
    apply(`${core('services')}/s?fieldManager=one`, service({ name: 'c', port: 81 })),
  ]),
  scenario('a selector is atomic', [
    apply(`${core('services')}/s?fieldManager=one`, {
      ...service({ port: 80 }),
      spec: { selector: { a: 'b' }, ports: [{ port: 80 }] },
    }),
    apply(`${core('services')}/s?fieldManager=two`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { selector: { c: 'd' } },
    }),
  ]),
  scenario('a status is applied by its path', [
    setup(post(deployments, deployment('d'))),
    apply(`${deployments}/d/status?fieldManager=one`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      status: { replicas: 2 },
    }),
    apply(`${deployments}/d/status?fieldManager=two`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      status: { replicas: 3 },
    }),
  ]),
  scenario('a scale is applied by its path', [
    setup(apply(`${deployments}/d?fieldManager=one`, workload({ replicas: 2 }))),
    apply(`${deployments}/d/scale?fieldManager=two`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd', namespace: '{ns}' },
      spec: { replicas: 3 },
    }),
    apply(`${deployments}/d/scale?fieldManager=two&force=true`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd', namespace: '{ns}' },
      spec: { replicas: 3 },
    }),
    get(`${deployments}/d`),
  ]),
  scenario('replicas that their only owner drops return to the default', [
    apply(`${deployments}/d?fieldManager=one`, workload({ replicas: 3 })),
    apply(`${deployments}/d?fieldManager=one`, workload({})),
  ]),
  scenario('an apply takes the fields of a created object', [
    setup(post(`${configMaps}?fieldManager=maker`, { metadata: { name: 'a' }, data: { k: 'v' } })),
    apply(by('one'), map({ k: 'v' })),
    apply(by('one'), map({ k: 'w' })),
    apply(by('one', '&force=true'), map({ k: 'w' })),
  ]),
  scenario('managed fields can be cleared', [
    apply(by('one'), map({ k: 'v' })),
    merge(by('two'), { metadata: { managedFields: [{}] } }),
    apply(by('one'), map({ k: 'w' })),
  ]),
]
