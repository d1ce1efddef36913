import { type AnyOperator, operator } from 'setpoint'
import { ConfigMap, Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import application from '../../../../operators/01-application/operator.ts'
import usage from '../../../../operators/07-pod-usage/operator.ts'
import type { Project } from '../project/index.ts'
import { bundleFiles } from './bundle-files.ts'
import type { BundleOptions } from './bundle-settings.ts'
import { catalogFiles } from './catalog-files.ts'

interface Csv {
  readonly metadata: { readonly name: string; readonly annotations: Record<string, string> }
  readonly spec: Readonly<Record<string, unknown>>
}

function bundleOf(
  operators: readonly AnyOperator[],
  settings: Project['settings'] = {},
  options: BundleOptions = {},
) {
  const project = { folder: '/p', name: 'shop', version: '1.2.3', settings }
  const source = { project, operators }
  const files = bundleFiles({
    source,
    options,
    examples: [{ kind: 'Application' }],
    icon: undefined,
  })
  const text = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  return { files, text, csv: parse(text('manifests/shop.clusterserviceversion.yaml')) as Csv }
}

const modesOf = ({ spec }: Csv): string[] =>
  (spec['installModes'] as { type: string; supported: boolean }[])
    .filter(({ supported }) => supported)
    .map(({ type }) => type)

test('the ClusterServiceVersion owns the CRD, with descriptors and the kinds of children', () => {
  const { csv, files } = bundleOf([application])
  expect(files.map(({ path }) => path)).toContain(
    'manifests/applications.shclub.github.io.crd.yaml',
  )
  expect(csv.metadata.name).toBe('shop.v1.2.3')
  expect(csv.spec['customresourcedefinitions']).toMatchObject({
    owned: [
      {
        name: 'applications.shclub.github.io',
        version: 'v1',
        kind: 'Application',
        resources: [
          { kind: 'Deployment', version: 'v1' },
          { kind: 'Service', version: 'v1' },
        ],
        specDescriptors: expect.arrayContaining([
          {
            path: 'replicas',
            displayName: 'Replicas',
            description: 'The number of pods.',
            'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:podCount'],
          },
        ]) as unknown,
        statusDescriptors: expect.arrayContaining([
          expect.objectContaining({
            path: 'conditions',
            'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'],
          }),
        ]) as unknown,
      },
    ],
  })
})

test('OLM decides the namespaces and the certificate of the webhooks', () => {
  const { csv } = bundleOf([application])
  expect(csv.spec['webhookdefinitions']).toMatchObject([
    { type: 'ValidatingAdmissionWebhook', deploymentName: 'shop', targetPort: 9443 },
  ])
  const { spec } = csv.spec['install'] as {
    spec: { deployments: { spec: { template: { spec: { containers: { env: unknown }[] } } } }[] }
  }
  expect(spec.deployments[0]?.spec.template.spec.containers[0]?.env).toEqual([
    { name: 'LEADER_ELECTION', value: 'true' },
    {
      name: 'WATCH_NAMESPACES',
      valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
    },
    { name: 'LEASE_NAME', value: 'shop' },
    { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    { name: 'WEBHOOKS_SERVICE', value: '$(POD_NAMESPACE)/shop-service' },
    { name: 'WEBHOOKS_CERTIFICATES', value: '/tmp/k8s-webhook-server/serving-certs' },
  ])
})

test('install modes follow from what the operators watch', () => {
  const some = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace']
  expect(modesOf(bundleOf([application]).csv)).toEqual([...some, 'AllNamespaces'])
  expect(modesOf(bundleOf([application], { watch: ['a'] }).csv)).toEqual(some)
  expect(modesOf(bundleOf([usage].flat()).csv)).toEqual(['AllNamespaces'])
  const named = operator(ConfigMap, { name: 'named', namespaces: ['a'] }).reconcile(
    async () => undefined,
  )
  expect(modesOf(bundleOf([named]).csv)).toEqual(['AllNamespaces'])
})

test('permissions name no namespace, and the Lease of the variable', () => {
  const { csv } = bundleOf([application])
  const { spec } = csv.spec['install'] as {
    spec: { permissions: { rules: { resources: string[]; resourceNames?: string[] }[] }[] }
  }
  const names = spec.permissions[0]?.rules.flatMap(({ resourceNames = [] }) => resourceNames)
  expect(names).toEqual(['shop'])
})

test('upgrade edges are in the ClusterServiceVersion and in the catalog', () => {
  const options = { replaces: '1.1.0', skips: ['1.2.1'], skipRange: '>=1.0.0 <1.2.3' }
  const { csv } = bundleOf([application], {}, options)
  expect(csv.spec).toMatchObject({ replaces: 'shop.v1.1.0', skips: ['shop.v1.2.1'] })
  expect(csv.metadata.annotations['olm.skipRange']).toBe('>=1.0.0 <1.2.3')
  const project = { folder: '/p', name: 'shop', version: '1.2.3', settings: {} }
  const source = { project, operators: [application] }
  const [catalog] = catalogFiles({ source, options, bundleImage: 'registry.example.com/b:1' })
  const documents = [parseAllDocuments(catalog?.text ?? '')]
    .flat()
    .map((each) => each.toJS() as object)
  expect(documents).toMatchObject([
    { schema: 'olm.package', name: 'shop', defaultChannel: 'stable' },
    {
      schema: 'olm.channel',
      name: 'stable',
      entries: [{ name: 'shop.v1.2.3', replaces: 'shop.v1.1.0', skipRange: '>=1.0.0 <1.2.3' }],
    },
    { schema: 'olm.bundle', name: 'shop.v1.2.3', image: 'registry.example.com/b:1' },
  ])
})

test('refuses what OLM cannot express', () => {
  const pods = operator(Pod, { name: 'pods' }).validate(() => [])
  expect(() => bundleOf([pods])).toThrow(/it has namespaceSelector, which OLM does not support/)
})
