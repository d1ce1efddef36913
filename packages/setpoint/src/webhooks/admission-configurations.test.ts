import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { CustomResourceDefinition, Namespace, Pod } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { admissionConfigurations, type WebhookConfiguration } from './admission-configurations.ts'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ size: z.int32() }),
  status: z.object({ size: z.int32() }),
})

const service = { name: 'apps-webhooks', namespace: 'apps-system' }

function configurationsOf(...operators: AnyOperator[]): WebhookConfiguration[] {
  return admissionConfigurations(operators, { address: { service } })
}

test('functions become webhooks with the defaults of Kubernetes', () => {
  expect(
    configurationsOf(
      operator(App)
        .validate(() => [])
        .mutate(function pinImage() {}),
    ),
  ).toEqual([
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'apps-webhooks.apps-system' },
      webhooks: [
        {
          name: 'pin-image.apps.example.com',
          clientConfig: {
            service: { ...service, path: '/mutate/apps.example.com/pin-image', port: 443 },
          },
          rules: [
            {
              apiGroups: ['example.com'],
              apiVersions: ['v1'],
              resources: ['apps'],
              operations: ['CREATE', 'UPDATE'],
              scope: 'Namespaced',
            },
          ],
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          sideEffects: 'None',
          timeoutSeconds: 10,
          reinvocationPolicy: 'Never',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'apps-webhooks.apps-system' },
      webhooks: [
        expect.objectContaining({
          name: 'validate.apps.example.com',
          clientConfig: {
            service: { ...service, path: '/validate/apps.example.com/validate', port: 443 },
          },
        }),
      ],
    },
  ])
})

test('all options are part of the webhook', () => {
  const [configuration] = configurationsOf(
    operator(App).mutate(() => {}, {
      id: 'limits',
      operations: ['UPDATE'],
      subresource: 'status',
      failurePolicy: 'Ignore',
      timeout: '5s',
      objectSelector: { team: 'a' },
      namespaceSelector: { matchLabels: { env: 'prod' } },
      matchConditions: { 'not-root': "request.userInfo.username != 'root'" },
      matchPolicy: 'Exact',
      sideEffects: 'NoneOnDryRun',
      reinvocationPolicy: 'IfNeeded',
    }),
  )
  expect(configuration?.webhooks[0]).toMatchObject({
    name: 'limits.apps-status.example.com',
    rules: [{ resources: ['apps/status'], operations: ['UPDATE'] }],
    failurePolicy: 'Ignore',
    timeoutSeconds: 5,
    objectSelector: { matchLabels: { team: 'a' } },
    namespaceSelector: { matchLabels: { env: 'prod' } },
    matchConditions: [{ name: 'not-root', expression: "request.userInfo.username != 'root'" }],
    matchPolicy: 'Exact',
    sideEffects: 'NoneOnDryRun',
    reinvocationPolicy: 'IfNeeded',
  })
})

const excluded = {
  key: 'kubernetes.io/metadata.name',
  operator: 'NotIn',
  values: ['apps-system', 'kube-system'],
}

test('other kinds are not reviewed in kube-system and in the namespace of the operator', () => {
  const pods = operator(Pod, { name: 'pods' }).validate(() => [], {
    namespaceSelector: { env: 'prod' },
  })
  const namespaces = operator(Namespace, { name: 'teams' }).validate(() => [])
  const [configuration] = configurationsOf(pods, namespaces)
  expect(configuration?.webhooks).toMatchObject([
    {
      name: 'validate.pods.pods.setpoint.dev',
      namespaceSelector: { matchLabels: { env: 'prod' }, matchExpressions: [excluded] },
    },
    { namespaceSelector: { matchExpressions: [excluded] } },
  ])
})

test('an operator that is restricted to namespaces reviews only these', () => {
  const included = { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'b'] }
  const [configuration] = configurationsOf(
    operator(App, { namespaces: ['b', 'a'] }).validate(() => []),
    operator(Pod, { name: 'pods', namespaces: ['b', 'a'] }).validate(() => []),
  )
  expect(configuration?.webhooks).toMatchObject([
    { namespaceSelector: { matchExpressions: [included] } },
    { namespaceSelector: { matchExpressions: [included, excluded] } },
  ])
})

test('a process does not review its own CRDs', () => {
  const crds = operator(CustomResourceDefinition, { name: 'crds' }).validate(() => [])
  const [configuration] = configurationsOf(
    operator(App).child('pod', Pod, () => null),
    crds,
  )
  expect(configuration?.webhooks[0]).toMatchObject({
    matchConditions: [
      { name: 'not-own-definitions', expression: "!(request.name in ['apps.example.com'])" },
    ],
  })
})

test('the configurations of a local process are named after its operators', () => {
  const address = { url: 'https://127.0.0.1:1' }
  const [configuration] = admissionConfigurations(
    [operator(Pod, { name: 'Pod_rules' }).validate(() => []), operator(App)],
    { address },
  )
  expect(configuration?.metadata.name).toBe('local.apps.example.com-pod-rules')
  expect(configuration?.webhooks[0]?.clientConfig).toEqual({
    url: 'https://127.0.0.1:1/validate/Pod_rules/validate',
  })
})

test('operators without functions have no configuration', () => {
  expect(configurationsOf(operator(App))).toEqual([])
})
