import type { JsonObject } from 'setpoint/schema'
import type { ConformanceCase, Request } from '../conformance-case.ts'
import {
  apply,
  core,
  del,
  deployment,
  get,
  grouped,
  merge,
  pod,
  post,
  scenario,
  setup,
} from '../requests.ts'
import { crd, definition, open, version, withWidgets } from './widgets.ts'

const namespaces = '/api/v1/namespaces'
const pods = core('pods')
const services = core('services')
const deployments = grouped('apps/v1', 'deployments')
const anonymous = (headers: Record<string, string>): { headers: Record<string, string> } => ({
  headers: { authorization: '', ...headers },
})
const service = (nodePort: number): JsonObject => ({
  metadata: { name: `s-${nodePort}` },
  spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] },
})
const withStatus = (replicas: number): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  status: { replicas, readyReplicas: replicas },
})
const statusOf = (manager: string, replicas: number): Request =>
  apply(`${deployments}/d/status?fieldManager=${manager}`, withStatus(replicas))

/** States in which an object is rarely found. */
export const edgeStateCases: readonly ConformanceCase[] = [
  scenario(
    'a namespace with finalizers is deleted twice',
    [
      setup(post(namespaces, { metadata: { name: 'x-{ns}', finalizers: ['example.com/f'] } })),
      del(`${namespaces}/x-{ns}`),
      del(`${namespaces}/x-{ns}`),
      del(`${namespaces}/x-{ns}`, { propagationPolicy: 'Foreground' }),
      post(`${namespaces}/x-{ns}/configmaps`, { metadata: { name: 'a' } }),
      merge(`${namespaces}/x-{ns}`, { metadata: { finalizers: null } }),
      get(`${namespaces}/x-{ns}`),
    ],
    { cleanup: [`${namespaces}/x-{ns}`] },
  ),
  scenario('a pod without a node', [
    setup(post(pods, pod('a'))),
    ...[
      'log',
      'log?container=x',
      'log?previous=true',
      'log?follow=x',
      'log?tailLines=-1',
      'log?limitBytes=0&sinceSeconds=0',
      'log?tailLines=x',
    ].map((what) => get(`${pods}/a/${what}`)),
    ...['exec', 'exec?command=ls', 'exec?container=x', 'attach', 'attach?container=x'].flatMap(
      (what) => [get(`${pods}/a/${what}`), post(`${pods}/a/${what}`, {})],
    ),
    get(`${pods}/a/portforward`),
    get(`${pods}/a/proxy`),
    get(`${pods}/b/log`),
    get(`${pods}/b/exec`),
  ]),
  scenario('node ports outside of the range', [
    ...[1, 29999, 32768, 65536, -1].map((port) => post(services, service(port))),
    setup(post(services, service(31111))),
    post(services, { ...service(31111), metadata: { name: 'b' } }),
    del(`${services}/s-31111`),
  ]),
  scenario('conflicts about a status name its fields', [
    setup(post(deployments, deployment('d'))),
    statusOf('m', 1),
    statusOf('n', 2),
    statusOf('n', 1),
    merge(`${deployments}/d/status?fieldManager=o`, { status: { replicas: 3 } }),
    statusOf('m', 1),
  ]),
  scenario('impersonation without the right', [
    get(pods, anonymous({ 'impersonate-user': 'x' })),
    get(pods, anonymous({ 'impersonate-user': 'system:serviceaccount:{ns}:default' })),
    get(
      pods,
      anonymous({ 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' }),
    ),
    get(pods, anonymous({ 'impersonate-user': 'x', 'impersonate-group': 'g' })),
    get(pods, anonymous({ 'impersonate-user': 'x', 'impersonate-uid': 'u' })),
    get(pods, anonymous({ 'impersonate-user': 'x', 'impersonate-extra-a': 'b' })),
    get(pods, anonymous({ 'impersonate-group': 'g' })),
  ]),
  withWidgets(
    'short names that exist',
    crd([version(open)], {
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['po', 'w{ns}'] },
    }),
    [get(definition, { until: { path: 'status.conditions.1' } })],
  ),
]
