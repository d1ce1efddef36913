import type { ConformanceCase } from '../conformance-case.ts'
import { core, deployment, get, grouped, pod, post, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')
const labelled = [
  ['a', { app: 'x', tier: 'front' }],
  ['b', { app: 'y' }],
  ['c', {}],
  ['d', { app: 'x', number: '5' }],
] as const
const setUp = labelled.map(([name, labels]) =>
  setup(post(configMaps, { metadata: { name, labels } })),
)

/** Label selectors match few objects, so the whole list is compared. */
const labelSelectors = [
  'app=x',
  'app==x',
  'app!=x',
  'app',
  '!app',
  'app in (x,y)',
  'app in ( x , y )',
  'app notin (x)',
  'app in (x),tier',
  'app=x,!tier',
  'number>4',
  'number<5',
  'app=',
  'app in ()',
  ' app = x ',
]

const refusedLabelSelectors = [
  'app=x,',
  'app in x',
  'app in (x',
  '=x',
  'app=a b',
  'app=!x',
  'app>x',
  'a/b/c=x',
  'app=x y=z',
  '-app',
]

const show = ['code', 'reason', 'message', 'details', 'items.length']
const names = ['items.0.metadata.name', 'items.1.metadata.name', 'items.2.metadata.name', 'items.3']

/** Field selectors by collection. */
const fieldSelectors: readonly (readonly [collection: string, selector: string])[] = [
  [configMaps, 'metadata.name=a'],
  [configMaps, 'metadata.name!=a'],
  [configMaps, 'metadata.name=a,metadata.namespace={ns}'],
  [configMaps, 'metadata.name==a'],
  [configMaps, 'metadata.namespace=elsewhere'],
  [configMaps, 'metadata.name='],
  [configMaps, ''],
  [configMaps, 'data.k=v'],
  [configMaps, 'metadata.uid=x'],
  [configMaps, 'nonsense'],
  [configMaps, 'metadata.name in (a)'],
  [configMaps, 'metadata.name=a\\,b'],
  [configMaps, 'metadata.name=a\\x'],
  [core('pods'), 'status.phase=Pending'],
  [core('pods'), 'status.phase!=Pending'],
  [core('pods'), 'spec.nodeName=node-1'],
  [core('pods'), 'spec.nodeName='],
  [core('pods'), 'spec.restartPolicy=Always'],
  [core('pods'), 'spec.schedulerName=default-scheduler'],
  [core('pods'), 'spec.serviceAccountName=default'],
  [core('pods'), 'spec.hostNetwork=false'],
  [core('pods'), 'status.podIP='],
  [core('pods'), 'status.nominatedNodeName='],
  [core('pods'), 'spec.containers=x'],
  [core('secrets'), 'type=Opaque'],
  [core('secrets'), 'type!=Opaque'],
  [core('services'), 'spec.type=ClusterIP'],
  [core('services'), 'spec.clusterIP=None'],
  [core('events'), 'involvedObject.name=p'],
  [core('events'), 'reason=Nothing'],
  [core('events'), 'type=Normal,involvedObject.kind=Pod'],
  [core('replicationcontrollers'), 'status.replicas=0'],
  [grouped('apps/v1', 'deployments'), 'metadata.name=d'],
  [grouped('apps/v1', 'deployments'), 'status.replicas=0'],
  [grouped('apps/v1', 'replicasets'), 'status.replicas=0'],
  [grouped('batch/v1', 'jobs'), 'status.successful=0'],
  ['/api/v1/namespaces', 'metadata.name={ns}'],
  ['/api/v1/namespaces', 'metadata.name={ns},status.phase=Active'],
  ['/api/v1/nodes', 'spec.unschedulable=false'],
]

const secret = { metadata: { name: 's' }, type: 'Opaque' }
const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }
const fieldSetUp = [
  setup(post(configMaps, { metadata: { name: 'a' } })),
  setup(post(configMaps, { metadata: { name: 'b' } })),
  setup(post(core('pods'), pod('p'))),
  setup(post(core('pods'), pod('q', { nodeName: 'node-1' }))),
  setup(post(core('secrets'), secret)),
  setup(post(core('services'), service)),
  setup(post(grouped('apps/v1', 'deployments'), deployment('d'))),
]

/** Label and field selectors. */
export const selectorCases: readonly ConformanceCase[] = [
  ...labelSelectors.map((selector) =>
    scenario(`the label selector "${selector}" finds the same objects`, [
      ...setUp,
      get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`, { show: names }),
    ]),
  ),
  ...refusedLabelSelectors.map((selector) =>
    scenario(`the label selector "${selector}" is refused with the same message`, [
      get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`, { show }),
    ]),
  ),
  ...fieldSelectors.map(([collection, selector]) =>
    scenario(
      `the field selector "${selector}" of ${collection.split('/').at(-1) ?? ''} finds the same`,
      [
        ...fieldSetUp,
        get(`${collection}?fieldSelector=${escaped(selector)}`, {
          show: [...names, 'code', 'reason', 'message', 'details'],
        }),
      ],
    ),
  ),
  scenario('label and field selectors are combined', [
    ...setUp,
    get(`${configMaps}?labelSelector=app%3Dx&fieldSelector=metadata.name%3Dd`, { show: names }),
  ]),
  scenario('a list of all namespaces supports label selectors', [
    setup(post(configMaps, { metadata: { name: 'a', labels: { only: '{ns}' } } })),
    get('/api/v1/configmaps?labelSelector=only%3D{ns}', { show: names }),
  ]),
  scenario('a get of one object with a field selector of its name is a list of one', [
    ...setUp,
    get(`${configMaps}/a?fieldSelector=metadata.name%3Db`, { show: ['kind', 'metadata.name'] }),
  ]),
]

/** Keeps the placeholder of the namespace. */
function escaped(selector: string): string {
  return encodeURIComponent(selector).replaceAll('%7Bns%7D', '{ns}')
}
