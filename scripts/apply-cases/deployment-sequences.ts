import type { Sequence, Step } from './sequence.ts'
import { apply, force, json, merge, post, put, spec } from './steps.ts'

const deployment = (name: string, ...steps: Step[]): Sequence => ({
  name,
  resource: 'deployments',
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  steps,
})

const scale = { subresource: 'scale' }

const container = (name: string, more: object = {}) => ({ name, image: 'i', ...more })
const workload = (containers: object[], more: object = {}) =>
  spec({
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
    ...more,
  })

const deployments: Sequence[] = [
  deployment(
    'created',
    post('one', workload([container('c')])),
    apply('two', workload([container('c')])),
    merge('three', spec({ replicas: 2 })),
  ),
  deployment(
    'created with everything',
    post('one', {
      metadata: { labels: { x: 'y' } },
      ...workload(
        [
          container('c', {
            command: ['a'],
            args: ['b'],
            env: [
              { name: 'E', value: 'v' },
              { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'u' }],
            resources: { limits: { cpu: '100m' }, requests: { memory: '1Gi' } },
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            livenessProbe: { httpGet: { path: '/', port: 'u' } },
            securityContext: { runAsUser: 5, capabilities: { add: ['X'] } },
          }),
        ],
        { replicas: 0, strategy: { type: 'Recreate' }, minReadySeconds: 3 },
      ),
    }),
  ),
  deployment(
    'applied',
    apply(
      'one',
      workload(
        [container('c', { env: [{ name: 'E', value: '1' }], ports: [{ containerPort: 80 }] })],
        { replicas: 0 },
      ),
    ),
    apply(
      'two',
      workload([
        container('d'),
        container('c', {
          env: [{ name: 'F', value: '2' }],
          ports: [{ containerPort: 80, protocol: 'UDP' }],
        }),
      ]),
    ),
    apply('one', workload([container('c')])),
    apply('two', workload([container('c')])),
  ),
  deployment(
    'volumes',
    apply('one', {
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: 'b' } },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [container('c', { volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
            volumes: [
              { name: 'v', emptyDir: {} },
              { name: 'w', configMap: { name: 'm' } },
            ],
            tolerations: [{ key: 'k' }],
            imagePullSecrets: [{ name: 'p' }],
            nodeSelector: { n: 's' },
            topologySpreadConstraints: [
              { maxSkew: 1, topologyKey: 't', whenUnsatisfiable: 'DoNotSchedule' },
            ],
          },
        },
      },
    }),
    merge('two', {
      spec: {
        template: {
          spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }], nodeSelector: { o: 't' } },
        },
      },
    }),
  ),
  deployment(
    'replicas conflict',
    apply('one', workload([container('c')], { replicas: 0 })),
    merge('two', spec({ replicas: 0, minReadySeconds: 5 })),
    apply('three', workload([container('c')], { replicas: 1, minReadySeconds: 6 })),
    apply('one', workload([container('c')])),
    apply('one', workload([container('c')])),
  ),
  deployment(
    'image set by another',
    apply('one', workload([container('c')], { replicas: 0 })),
    json('two', [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'j' }]),
    apply('one', workload([container('c')], { replicas: 0 })),
    force('one', workload([container('c')], { replicas: 0 })),
  ),
  deployment(
    'scaled',
    post('one', workload([container('c')], { replicas: 0 })),
    merge('hpa', spec({ replicas: 0 }), scale),
    merge('hpa', spec({ replicas: 1 }), scale),
    merge('hpa', spec({ replicas: 0 }), scale),
    apply('one', workload([container('c')], { replicas: 5 })),
    merge('one', spec({ replicas: 6 })),
  ),
  deployment(
    'scaled by apply',
    apply('one', workload([container('c')], { replicas: 0 })),
    apply('hpa', spec({ replicas: 0 }), scale),
    force('hpa', spec({ replicas: 1 }), scale),
    apply('one', workload([container('c')], { replicas: 0 })),
    apply('one', workload([container('c')])),
  ),
  deployment(
    'strategy',
    apply(
      'one',
      workload([container('c')], {
        replicas: 0,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '50%' } },
      }),
    ),
    merge('two', spec({ strategy: { rollingUpdate: { maxSurge: 2 } } })),
    apply('one', workload([container('c')], { replicas: 0 })),
  ),
  deployment(
    'wrong',
    apply('one', workload([container('c'), container('c')])),
    apply('one', workload([container('c', { image: 5 })])),
    apply('one', workload([container('c', { bogus: 5 })])),
    apply('one', workload([container('c', { resources: { limits: 'x' } })])),
    apply('one', spec({ replicas: 'x' })),
    apply(
      'one',
      workload([
        container('c', { ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }),
      ]),
    ),
    apply('one', spec({ template: [] })),
  ),
  deployment(
    'status',
    post('one', workload([container('c')], { replicas: 0, paused: true })),
    apply(
      'ctl',
      {
        metadata: { labels: { l: '1' }, annotations: { n: '1' } },
        status: { conditions: [{ type: 'X', status: 'True' }] },
      },
      { subresource: 'status' },
    ),
    apply('ctl', { status: {} }, { subresource: 'status' }),
  ),
]

const twice = (...env: object[]) => workload([container('c', { env })], { replicas: 0 })
const e = (value: string) => ({ name: 'E', value })
const f = { name: 'F', value: '3' }

const duplicates: Sequence[] = [
  deployment(
    'items twice in the live list',
    post('one', twice(e('1'), e('2'), f)),
    apply('two', twice(f)),
    apply('two', twice(e('1'))),
    force('two', twice(e('9'))),
    apply('two', twice(f)),
  ),
  deployment(
    'items twice, changed by an update',
    post('one', twice(e('1'), e('2'))),
    put('two', (live) => ({ ...live, ...twice(e('1'), e('3')) })),
    put('three', (live) => ({ ...live, ...twice(e('1')) })),
    put('four', (live) => ({ ...live, ...twice(e('1'), e('1')) })),
    put('five', (live) => ({ ...live, ...twice(f) })),
  ),
  deployment(
    'items of an applier become twice',
    apply('one', twice(e('1'), f)),
    put('two', (live) => ({ ...live, ...twice(e('1'), e('2'), f) })),
    apply('one', twice(e('1'), f)),
    force('one', twice(e('1'), f)),
    apply('one', twice(f)),
  ),
  deployment(
    'ports twice',
    post(
      'one',
      workload(
        [
          container('c', {
            ports: [
              { containerPort: 80, name: 'a' },
              { containerPort: 80, name: 'b' },
            ],
          }),
        ],
        { replicas: 0 },
      ),
    ),
    apply('two', workload([container('c', { ports: [{ containerPort: 81 }] })])),
    apply('two', workload([container('c')])),
  ),
]

/** Writes to Deployments. */
export const deploymentSequences: readonly Sequence[] = [...deployments, ...duplicates]
