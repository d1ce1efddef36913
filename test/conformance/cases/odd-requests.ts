import type { ConformanceCase, Request } from '../conformance-case.ts'
import { configMap, core, del, get, merge, post, put, scenario, setup } from '../requests.ts'

const configMaps = core('configmaps')
const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } }
const ofType = (type: string): { headers: Record<string, string> } => ({
  headers: { 'content-type': type },
})
const patchText = (text: string, type: string, query = ''): Request => ({
  method: 'PATCH',
  path: `${configMaps}/a${query}`,
  body: { text },
  headers: { 'content-type': type },
})
const selfReview = (headers: Record<string, string>): Request =>
  post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { headers, isRaw: true })

const emptyParameters = [
  'limit=',
  'timeoutSeconds=',
  'timeout=',
  'continue=',
  'resourceVersion=',
  'resourceVersionMatch=',
  'fieldSelector=',
  'labelSelector=',
  'pretty=',
  'allowWatchBookmarks=',
  'sendInitialEvents=',
]

const mediaTypes = [
  'text/plain',
  '*/*',
  'json',
  'application/json;',
  'application/json; ;',
  'application/json;;',
  'application/json; charset',
  'application/json; charset=utf-8',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  'application/json, application/yaml',
]

const unknownPaths = [
  `${configMaps}/a/b`,
  `${configMaps}/a/b/c`,
  `${core('pods')}/p/log/x`,
  `${core('pods')}/p/status/x`,
  `${core('unknowns')}/a/b/c/d`,
  '/apis/apps/v1/unknowns/a/b/c',
  '/apis/unknown.example.com/v1/a/b/c',
  '/api/v2/a/b',
  '/apis/apps/v2/deployments',
  '/version/x',
  '/healthz/a/b',
  '/openapi/v3/a/b/c/d',
]

/** Requests that few clients send, and whose answers are easily different. */
export const oddRequestCases: readonly ConformanceCase[] = [
  scenario('list parameters without a value', [
    ...emptyParameters.map((parameter) => get(`${configMaps}?${parameter}`)),
  ]),
  scenario('write parameters without a value', [
    post(`${configMaps}?dryRun=`, configMap('a')),
    post(`${configMaps}?fieldManager=&fieldValidation=`, configMap('a')),
    put(`${configMaps}/a?dryRun=`, configMap('a')),
    merge(`${configMaps}/a?dryRun=`, {}),
    merge(`${configMaps}/a?force=`, {}),
    patchText('{}', apply.headers['content-type'], '?fieldManager='),
    del(`${configMaps}/a?gracePeriodSeconds=`),
    del(`${configMaps}/a?propagationPolicy=`),
    del(`${configMaps}/a?dryRun=`),
    del(`${configMaps}/a`, { dryRun: [''] }),
    del(`${configMaps}?dryRun=`),
  ]),
  scenario('the media types of bodies', [
    ...mediaTypes.map((type) =>
      post(`${configMaps}?dryRun=All`, { text: '{"metadata":{"name":"a"}}' }, ofType(type)),
    ),
    ...mediaTypes.map((type) => del(`${configMaps}/a`, { text: '{}' }, ofType(type))),
  ]),
  scenario('empty bodies', [
    setup(post(configMaps, configMap('a'))),
    post(configMaps, { text: '' }),
    post(configMaps, { text: '' }, ofType('application/yaml')),
    put(`${configMaps}/a`, { text: '' }),
    patchText('', 'application/merge-patch+json'),
    patchText('', 'application/json-patch+json'),
    patchText('', 'application/strategic-merge-patch+json'),
    patchText('', 'application/apply-patch+yaml', '?fieldManager=m'),
  ]),
  scenario('paths below those that exist', [
    ...unknownPaths.map((path) => get(path)),
    post(`${configMaps}/a/b`, {}),
    del(`${configMaps}/a/status`),
  ]),
  scenario('several warnings are in the order of the document', [
    post(`${configMaps}?dryRun=All`, {
      text: '{"metadata":{"name":"a","z":1},"y":1,"x":1,"data":{"k":"1","k":"2"}}',
    }),
    post(`${configMaps}?dryRun=All`, {
      metadata: { name: 'a' },
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`u${index}${'x'.repeat(200)}`, 1]),
      ),
    }),
  ]),
  scenario('a patch of the kind or the version', [
    setup(post(configMaps, configMap('a'))),
    ...[null, '', 1, {}, [], 'v2', 'a/b/c'].map((apiVersion) =>
      merge(`${configMaps}/a`, { apiVersion }),
    ),
    ...[null, '', 1, {}, 'Pod', 'Unknown'].map((kind) => merge(`${configMaps}/a`, { kind })),
    merge(`${configMaps}/a`, { kind: null, apiVersion: null }),
    merge(`${configMaps}/a?fieldValidation=Strict`, { apiVersion: null }),
    patchText('{"apiVersion":null}', 'application/strategic-merge-patch+json'),
    patchText('[{"op":"remove","path":"/apiVersion"}]', 'application/json-patch+json'),
  ]),
  scenario('the keys of impersonated extras', [
    selfReview({
      'impersonate-user': 'u',
      'impersonate-group': 'system:masters',
      'impersonate-extra-%zz': 'v',
      'impersonate-extra-%41b%2Fc': 'w',
      'impersonate-extra-x%': 'y',
      'impersonate-extra-a+b': 'plus',
    }),
    get('/api/v1/namespaces', { headers: { 'impersonate-extra-%zz': 'v' } }),
    get('/api/v1/namespaces', {
      headers: { 'impersonate-user': 'u', 'impersonate-extra-%zz': 'v' },
    }),
  ]),
]
