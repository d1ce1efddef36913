import type { Node, Pod, PodSpec } from 'setpoint/kinds'
import { describe, expect, test } from 'vitest'
import { chooseNode, type VolumeRequirements } from './choose-node.ts'
import { Placements } from './placements.ts'

let uid = 0

function podOf(spec: Partial<PodSpec> = {}, labels: Record<string, string> = {}): Pod {
  uid += 1
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `p${uid}`,
      namespace: 'default',
      uid: `u${uid}`,
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels,
    },
    spec: { containers: [{ name: 'c' }], ...spec },
  }
}

function requesting(requests: Record<string, string>, more: Partial<PodSpec> = {}): Pod {
  return podOf({ containers: [{ name: 'c', resources: { requests } }], ...more })
}

function withPort(hostPort: number, hostIP?: string): Partial<PodSpec> {
  const port = { containerPort: 80, hostPort, ...(hostIP === undefined ? {} : { hostIP }) }
  return { containers: [{ name: 'c', ports: [port] }] }
}

/** A node with 2 CPUs, 4Gi and 5 pods, in its own zone. */
function nodeOf(name: string, spec: Node['spec'] = {}, labels: Record<string, string> = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    spec,
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2030-01-01T00:00:00Z',
      labels: { 'kubernetes.io/hostname': name, zone: `z${name.slice(1)}`, ...labels },
    },
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '5' } },
  }
}

const tainted = nodeOf('n1', { taints: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }] })
const closed = nodeOf('n2', { unschedulable: true })
const open = nodeOf('n3')
const mixed = [tainted, closed, open]
const alike = ['n1', 'n2', 'n3'].map((name) => nodeOf(name))

const noVolumes: VolumeRequirements = { fits: () => undefined }

function choose(
  pod: Pod,
  { nodes, placed = [], volumes = noVolumes }: Given & { readonly volumes?: VolumeRequirements },
): string {
  const placements = new Placements()
  for (const [node, other] of placed) placements.place(other, node)
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]))
  const namespaceLabels = (name: string): Record<string, string> => ({ name })
  const choice = chooseNode(pod, { placements, nodes: byName, namespaceLabels }, volumes)
  return 'node' in choice ? choice.node.metadata.name : choice.message
}

interface Given {
  readonly nodes: readonly Node[]
  readonly placed?: readonly (readonly [node: string, pod: Pod])[]
}

/**
 * The message of the real scheduler: on how many nodes preemption was tried, and on how many it is
 * not helpful.
 */
function unschedulableMessage(reasons: string, count: number, room: number): string {
  const parts = [
    ...(room > 0 ? [`${room} No preemption victims found for incoming pod`] : []),
    ...(count > room ? [`${count - room} Preemption is not helpful for scheduling`] : []),
  ]
  const none = `0/${count} nodes are available`
  const preemption = `${none}: ${parts.sort().join(', ')}.`
  return `${none}: ${reasons}. no new claims to deallocate, preemption: ${preemption}`
}

const taint = '1 node(s) had untolerated taint(s)'
const shut = '1 node(s) were unschedulable'

function nodeTerm(
  key: string,
  value: string,
  kind: 'matchExpressions' | 'matchFields',
): PodSpec['affinity'] {
  const term = { [kind]: [{ key, operator: 'In' as const, values: [value] }] }
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
    },
  }
}

function near(labels: Record<string, string>, topologyKey = 'kubernetes.io/hostname') {
  const term = { topologyKey, labelSelector: { matchLabels: labels } }
  return { requiredDuringSchedulingIgnoredDuringExecution: [term] }
}

function spreadOver(topologyKey: string): Partial<PodSpec> {
  const labelSelector = { matchLabels: { app: 'web' } }
  const when = { whenUnsatisfiable: 'DoNotSchedule' } as const
  return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey, labelSelector, ...when }] }
}

describe('finds no node, with the message of the real scheduler, for', () => {
  const web = { app: 'web' }
  const full = alike.map(
    ({ metadata }) => [metadata.name, requesting({ cpu: '1500m', memory: '1Gi' })] as const,
  )
  const matchingPods = alike.flatMap(({ metadata }) =>
    Array.from({ length: 5 }, () => [metadata.name, requesting({ cpu: '300m' })] as const),
  )
  const rows: [what: string, pod: Pod, given: Given, message: string][] = [
    ['no nodes', podOf(), { nodes: [] }, 'no nodes available to schedule pods'],
    [
      'more CPU than any node has',
      requesting({ cpu: '100' }),
      { nodes: mixed },
      unschedulableMessage(`1 Insufficient cpu, ${taint}, ${shut}`, 3, 0),
    ],
    [
      'a label that no node has',
      podOf({ nodeSelector: { disk: 'ssd' }, tolerations: [{ operator: 'Exists' }] }),
      { nodes: mixed },
      unschedulableMessage("3 node(s) didn't match Pod's node affinity/selector", 3, 0),
    ],
    [
      'a zone without nodes',
      podOf({ affinity: nodeTerm('zone', 'z8', 'matchExpressions') ?? {} }),
      { nodes: mixed },
      unschedulableMessage(
        `1 node(s) didn't match Pod's node affinity/selector, ${taint}, ${shut}`,
        3,
        0,
      ),
    ],
    [
      'a node that does not exist',
      podOf({ affinity: nodeTerm('metadata.name', 'n8', 'matchFields') ?? {} }),
      { nodes: mixed },
      unschedulableMessage("3 node(s) didn't satisfy plugin(s) [NodeAffinity]", 3, 0),
    ],
    [
      'an unschedulable node',
      podOf({ affinity: nodeTerm('metadata.name', 'n2', 'matchFields') ?? {} }),
      { nodes: mixed },
      unschedulableMessage(`${shut}, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]`, 3, 0),
    ],
    [
      'a host port that is in use',
      podOf(withPort(80)),
      { nodes: mixed, placed: [['n3', podOf(withPort(80, '10.0.0.1'))]] },
      unschedulableMessage(
        `1 node(s) didn't have free ports for the requested pod ports, ${taint}, ${shut}`,
        3,
        1,
      ),
    ],
    [
      'its pod anti-affinity',
      podOf({ affinity: { podAntiAffinity: near(web) } }),
      { nodes: mixed, placed: [['n3', podOf({}, web)]] },
      unschedulableMessage(
        `1 node(s) didn't match pod anti-affinity rules, ${taint}, ${shut}`,
        3,
        1,
      ),
    ],
    [
      'the anti-affinity of existing pods',
      podOf({}, web),
      { nodes: mixed, placed: [['n3', podOf({ affinity: { podAntiAffinity: near(web) } })]] },
      unschedulableMessage(
        `1 node(s) didn't satisfy existing pods anti-affinity rules, ${taint}, ${shut}`,
        3,
        1,
      ),
    ],
    [
      'its pod affinity',
      podOf({ affinity: { podAffinity: near({ app: 'nope' }) } }),
      { nodes: mixed, placed: [['n3', podOf({}, web)]] },
      unschedulableMessage(`1 node(s) didn't match pod affinity rules, ${taint}, ${shut}`, 3, 0),
    ],
    [
      'its topology spread',
      podOf(spreadOver('zone'), web),
      { nodes: mixed, placed: [['n3', podOf({}, web)]] },
      unschedulableMessage(
        `1 node(s) didn't match pod topology spread constraints, ${taint}, ${shut}`,
        3,
        1,
      ),
    ],
    [
      'a topology spread over a missing label',
      podOf(spreadOver('rack'), web),
      { nodes: mixed },
      unschedulableMessage(
        `1 node(s) didn't match pod topology spread constraints (missing required label), ${taint}, ${shut}`,
        3,
        0,
      ),
    ],
    [
      'resources that other pods use',
      requesting({ cpu: '1', memory: '3500Mi' }),
      { nodes: alike, placed: full },
      unschedulableMessage('3 Insufficient cpu, 3 Insufficient memory', 3, 3),
    ],
    [
      'resources that other pods use and resources that no node has',
      requesting({ cpu: '1', 'example.com/gpu': '1' }),
      { nodes: alike, placed: full },
      unschedulableMessage('3 Insufficient cpu, 3 Insufficient example.com/gpu', 3, 0),
    ],
    [
      'too many pods',
      requesting({ cpu: '1' }),
      { nodes: alike, placed: matchingPods },
      unschedulableMessage('3 Insufficient cpu, 3 Too many pods', 3, 3),
    ],
  ]
  test.each(rows)('%s', (...[, pod, given, message]) => {
    expect(choose(pod, given)).toBe(message)
  })

  test('a pod that must not preempt', () => {
    expect(choose(requesting({ cpu: '9' }, { preemptionPolicy: 'Never' }), { nodes: alike })).toBe(
      '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    )
  })

  test('volumes without any possible node', () => {
    const problem = 'pod has unbound immediate PersistentVolumeClaims'
    expect(choose(podOf(), { nodes: alike, volumes: { ...noVolumes, problem } })).toBe(
      `0/3 nodes are available: ${problem}. not found`,
    )
  })
})

describe('chooses', () => {
  const web = { app: 'web' }
  const prefers = (weight: number, zone: string) => ({
    weight,
    preference: { matchExpressions: [{ key: 'zone', operator: 'In' as const, values: [zone] }] },
  })
  const avoided = nodeOf('n1', { taints: [{ key: 'busy', effect: 'PreferNoSchedule' }] })
  const rows: [what: string, pod: Pod, given: Given, node: string][] = [
    ['the first of equal nodes', podOf(), { nodes: alike }, 'n1'],
    ['the schedulable node', podOf(), { nodes: mixed }, 'n3'],
    [
      'the node with the most free resources',
      podOf(),
      {
        nodes: alike,
        placed: [
          ['n1', requesting({ cpu: '1' })],
          ['n2', requesting({ cpu: '500m' })],
          ['n3', requesting({ cpu: '800m' })],
        ],
      },
      'n2',
    ],
    [
      'the node with fewer pods without requests',
      podOf(),
      { nodes: alike, placed: [['n1', podOf()]] },
      'n2',
    ],
    [
      'a tainted node that it tolerates and selects',
      podOf({
        tolerations: [{ key: 'dedicated', value: 'x', effect: 'NoSchedule' }],
        nodeSelector: { zone: 'z1' },
      }),
      { nodes: mixed },
      'n1',
    ],
    ['a node without a PreferNoSchedule taint', podOf(), { nodes: [avoided, open] }, 'n3'],
    [
      'the node with the highest preference',
      podOf({
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [prefers(1, 'z2'), prefers(9, 'z3')],
          },
        },
      }),
      { nodes: alike },
      'n3',
    ],
    [
      'the node of its pod affinity',
      podOf({ affinity: { podAffinity: near(web) } }),
      { nodes: alike, placed: [['n2', podOf({}, web)]] },
      'n2',
    ],
    [
      'any node for the first pod of a group with affinity to itself',
      podOf({ affinity: { podAffinity: near(web) } }, web),
      { nodes: alike },
      'n1',
    ],
    [
      'the zone with the fewest matching pods',
      podOf(spreadOver('zone'), web),
      {
        nodes: alike,
        placed: [
          ['n1', podOf({}, web)],
          ['n2', podOf({}, web)],
        ],
      },
      'n3',
    ],
    [
      'a node where the port is used on another address',
      podOf(withPort(80, '10.0.0.2')),
      { nodes: [open], placed: [['n3', podOf(withPort(80, '10.0.0.1'))]] },
      'n3',
    ],
  ]
  test.each(rows)('%s', (...[, pod, given, node]) => {
    expect(choose(pod, given)).toBe(node)
  })
})

test('counts the requests of a pod until it is finished, removed or moved', () => {
  const placements = new Placements()
  const pod = requesting({ cpu: '1' })
  placements.place(pod, 'n1')
  placements.place(pod, 'n1')
  expect(placements.on('n1').amounts.get('cpu')).toBe(1000)
  expect(placements.note({ ...pod, status: { phase: 'Succeeded' } })).toBe(true)
  expect(placements.on('n1').amounts.get('cpu')).toBe(0)
  expect(placements.note({ ...pod, spec: { ...pod.spec, nodeName: 'n2' } })).toBe(false)
  expect(placements.on('n2').pods.size).toBe(1)
  expect(placements.remove(pod.metadata.uid)).toBe(true)
  expect([...placements.all()]).toEqual([])
})
