import * as z from 'zod'
import { expect, test } from 'vitest'
import type { PolicyOptions } from '../admission/index.ts'
import { defineResource, rule } from '../definition/index.ts'
import { ConfigMap, Deployment, Namespace, Pod } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'
import { policyObjects } from './policy-objects.ts'

const App = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({ size: z.int32() }),
})

const rules = [rule('object.spec.size < 3', 'too large')]
const pods = (options: PolicyOptions) => operator(Pod, { name: 'pod-rules' }).policy('p', options)
const apiVersion = 'admissionregistration.k8s.io/v1'

test('rules become a policy and its binding, with the defaults of Kubernetes', () => {
  const metadata = { name: 'small.apps.example.com' }
  expect(policyObjects([operator(App).policy('small', { rules })])).toEqual([
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          resourceRules: [
            {
              apiGroups: ['example.com'],
              apiVersions: ['v1'],
              resources: ['apps'],
              operations: ['CREATE', 'UPDATE'],
              scope: 'Namespaced',
            },
          ],
        },
        validations: [{ expression: 'object.spec.size < 3', message: 'too large' }],
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ])
})

test('mutations become a mutating policy', () => {
  const objects = policyObjects([
    pods({
      mutations: [{ applyConfiguration: 'Object{}' }, { jsonPatch: '[]' }],
      reinvocationPolicy: 'IfNeeded',
    }),
  ])
  expect(objects).toMatchObject([
    {
      kind: 'MutatingAdmissionPolicy',
      spec: {
        mutations: [
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } },
          { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } },
        ],
        reinvocationPolicy: 'IfNeeded',
      },
    },
    { kind: 'MutatingAdmissionPolicyBinding', spec: { policyName: 'p.pod-rules' } },
  ])
})

test('all options are in the policy and in the binding', () => {
  const scales = operator(Deployment, { name: 'scales' }).policy('few', {
    rules: [{ expression: 'variables.wanted < 3', reason: 'Forbidden' }],
    variables: { spec: 'object.spec', wanted: 'variables.spec.replicas' },
    matchConditions: { people: "!request.userInfo.username.startsWith('system:')" },
    operations: ['UPDATE'],
    subresource: 'scale',
    objectSelector: { team: 'a' },
    namespaceSelector: { matchLabels: { env: 'production' } },
    matchPolicy: 'Exact',
    failurePolicy: 'Ignore',
    actions: ['Warn', 'Audit'],
    auditAnnotations: { wanted: 'string(variables.wanted)' },
    params: { kind: ConfigMap, selector: { limits: 'yes' }, parameterNotFoundAction: 'Allow' },
  })
  expect(policyObjects([scales]).map(({ spec }) => spec)).toEqual([
    {
      failurePolicy: 'Ignore',
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: {
        matchPolicy: 'Exact',
        resourceRules: [
          {
            apiGroups: ['apps'],
            apiVersions: ['v1'],
            resources: ['deployments/scale'],
            operations: ['UPDATE'],
            scope: 'Namespaced',
          },
        ],
        objectSelector: { matchLabels: { team: 'a' } },
        namespaceSelector: {
          matchLabels: { env: 'production' },
          matchExpressions: [
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system'] },
          ],
        },
      },
      matchConditions: [
        { name: 'people', expression: "!request.userInfo.username.startsWith('system:')" },
      ],
      variables: [
        { name: 'spec', expression: 'object.spec' },
        { name: 'wanted', expression: 'variables.spec.replicas' },
      ],
      validations: [{ expression: 'variables.wanted < 3', reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'wanted', valueExpression: 'string(variables.wanted)' }],
    },
    {
      policyName: 'few.scales',
      paramRef: { selector: { matchLabels: { limits: 'yes' } }, parameterNotFoundAction: 'Allow' },
      validationActions: ['Warn', 'Audit'],
    },
  ])
})

test('a deployment has objects of its own, and does not review its own namespace', () => {
  const deployment = { name: 'shop', namespace: 'shop-system' }
  const objects = policyObjects([pods({ rules })], { deployment, namespaces: ['b', 'a'] })
  expect(objects).toMatchObject([
    {
      metadata: { name: 'p.pod-rules.shop.shop-system' },
      spec: {
        matchConstraints: {
          namespaceSelector: {
            matchExpressions: [
              { operator: 'In', values: ['a', 'b'] },
              { operator: 'NotIn', values: ['kube-system', 'shop-system'] },
            ],
          },
        },
      },
    },
    { spec: { policyName: 'p.pod-rules.shop.shop-system' } },
  ])
})

test('a name of an operator with other characters is still a valid name', () => {
  const own = operator(Namespace, { name: 'Team_Rules.Example' }).policy('p', { rules })
  expect(policyObjects([own])[0]?.metadata.name).toBe('p.team-rules.example')
})
