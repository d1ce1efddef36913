import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import {
  type AnyOperator,
  defineResource,
  operator,
  rbacFor,
  serveApi,
  serveResource,
} from 'setpoint'
import { ClusterRole, ConfigMap, Namespace, Secret } from 'setpoint/kinds'
import application from '../../../../operators/01-application/operator.ts'
import type { Project } from '../project/index.ts'
import { projectManifests } from './project-manifests.ts'

function manifestsOf(operators: readonly AnyOperator[], settings: Project['settings'] = {}) {
  const project = { folder: '/project', name: '@team/Shop_App', version: '1.2.3', settings }
  const files = projectManifests({ project, operators, hasInstallFile: settings.installFile })
  const text = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
  const objects = (path: string) =>
    [parseAllDocuments(text(path))].flat().map((document) => document.toJS() as ManifestObject)
  return { files, text, objects }
}

interface ManifestObject {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly rules?: unknown
  readonly roleRef?: unknown
  readonly subjects?: unknown
  readonly spec?: unknown
}

const summary = ({ kind, metadata: { name, namespace = '' } }: ManifestObject): string =>
  `${kind} ${namespace}/${name}`

test('writes sorted files, all marked as generated except the samples', () => {
  const { files } = manifestsOf([application])
  expect(files.map(({ path, isKept }) => `${path}${isKept ? ' (kept)' : ''}`)).toEqual([
    'config/crd/applications.shclub.github.io.yaml',
    'config/kustomization.yaml',
    'config/manager/deployment.yaml',
    'config/manager/metrics-service.yaml',
    'config/manager/namespace.yaml',
    'config/rbac/application-editor.yaml',
    'config/rbac/application-viewer.yaml',
    'config/rbac/election-role.yaml',
    'config/rbac/role.yaml',
    'config/rbac/service-account.yaml',
    'config/rbac/webhooks-role.yaml',
    'config/samples/application.yaml (kept)',
    'config/samples/kustomization.yaml',
    'config/webhooks/certificate.yaml',
    'config/webhooks/configurations.yaml',
    'config/webhooks/network-policy.yaml',
    'config/webhooks/service.yaml',
  ])
  const generated = files.filter(({ isKept }) => !isKept)
  expect(generated.every(({ text }) => text.startsWith('# Made by `setpoint generate`'))).toBe(true)
  expect(manifestsOf([application]).files).toEqual(files)
})

test('generates a Deployment that the restricted Pod Security Standard accepts', () => {
  const { text } = manifestsOf([application], { replicas: 2, image: 'registry.example.com/shop' })
  expect(text('config/manager/deployment.yaml')).toMatchInlineSnapshot(`
    "# Made by \`setpoint generate\`; changes are overwritten.
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: shop-app
      namespace: shop-app-system
      labels:
        app.kubernetes.io/name: shop-app
        app.kubernetes.io/managed-by: setpoint
        app.kubernetes.io/instance: shop-app-system
    spec:
      replicas: 2
      selector:
        matchLabels:
          app.kubernetes.io/name: shop-app
          app.kubernetes.io/component: operator
      template:
        metadata:
          labels:
            app.kubernetes.io/name: shop-app
            app.kubernetes.io/managed-by: setpoint
            app.kubernetes.io/instance: shop-app-system
            app.kubernetes.io/component: operator
        spec:
          serviceAccountName: shop-app
          terminationGracePeriodSeconds: 30
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            runAsGroup: 65532
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: operator
              image: registry.example.com/shop:1.2.3
              env:
                - name: LEADER_ELECTION
                  value: "true"
                - name: WEBHOOKS_SERVICE
                  value: shop-app-system/shop-app-webhooks
              ports:
                - name: probes
                  containerPort: 8081
                - name: webhooks
                  containerPort: 9443
              livenessProbe:
                httpGet:
                  path: /healthz
                  port: probes
                initialDelaySeconds: 15
                periodSeconds: 20
              readinessProbe:
                httpGet:
                  path: /readyz
                  port: probes
                initialDelaySeconds: 2
                periodSeconds: 10
              resources:
                requests:
                  cpu: 10m
                  memory: 128Mi
                limits:
                  cpu: 500m
                  memory: 512Mi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop:
                    - ALL
    "
  `)
})

test('lists all files in the kustomization, and the image for overlays', () => {
  expect(manifestsOf([application]).text('config/kustomization.yaml')).toMatchInlineSnapshot(`
    "# Made by \`setpoint generate\`; changes are overwritten.
    # Apply this folder with \`kubectl apply --server-side -k\`, not with \`-R -f\`: this file is not a Kubernetes object, and
    # samples would be applied before their CRDs are served.
    apiVersion: kustomize.config.k8s.io/v1beta1
    kind: Kustomization
    resources:
      - manager/namespace.yaml
      - crd/applications.shclub.github.io.yaml
      - rbac/application-editor.yaml
      - rbac/application-viewer.yaml
      - rbac/service-account.yaml
      - rbac/role.yaml
      - rbac/election-role.yaml
      - rbac/webhooks-role.yaml
      - webhooks/certificate.yaml
      - webhooks/service.yaml
      - webhooks/configurations.yaml
      - manager/deployment.yaml
      - manager/metrics-service.yaml
      - webhooks/network-policy.yaml
    images:
      - name: shop-app
        newName: shop-app
        newTag: 1.2.3
    "
  `)
  const digest = `sha256:${'0'.repeat(64)}`
  const { text } = manifestsOf([application], { image: `localhost:5000/shop@${digest}` })
  expect(text('config/kustomization.yaml')).toContain(
    `  - name: localhost:5000/shop\n    newName: localhost:5000/shop\n    digest: ${digest}\n`,
  )
})

test('generates a ClusterRole for the declared kinds, and a Role for the Lease', () => {
  const { objects } = manifestsOf([application])
  const [role, binding] = objects('config/rbac/role.yaml')
  expect(role).toMatchObject({ kind: 'ClusterRole', metadata: { name: 'shop-app' } })
  expect(role?.rules).toEqual(rbacFor([application], { comparesCrds: true }))
  expect(role?.rules).toContainEqual({
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    resourceNames: ['applications.shclub.github.io'],
    verbs: ['get'],
  })
  expect(binding).toMatchObject({
    kind: 'ClusterRoleBinding',
    roleRef: { kind: 'ClusterRole', name: 'shop-app' },
    subjects: [{ kind: 'ServiceAccount', name: 'shop-app', namespace: 'shop-app-system' }],
  })
  expect(objects('config/rbac/election-role.yaml').map(summary)).toEqual([
    'Role shop-app-system/shop-app-election',
    'RoleBinding shop-app-system/shop-app-election',
  ])
})

test('generates Roles in the watched namespaces', () => {
  const { objects, text } = manifestsOf([application], { watch: ['b', 'a'] })
  expect(objects('config/rbac/role.yaml').map(summary)).toEqual([
    'Role a/shop-app',
    'RoleBinding a/shop-app',
    'Role b/shop-app',
    'RoleBinding b/shop-app',
  ])
  expect(text('config/manager/deployment.yaml')).toContain(
    '            - name: WATCH_NAMESPACES\n              value: a,b\n',
  )
})

test('generates rules per namespace, and cluster-wide rules for cluster-scoped kinds', () => {
  const spec = z.object({ text: z.string() })
  const define = (kind: string) =>
    defineResource({ group: 'example.com', version: 'v1', kind, spec })
  const [Bound, Free] = [define('Bound'), define('Free')]
  const bound = operator(Bound, { namespaces: ['a'] })
    .child('role', ClusterRole, () => ({}))
    .watch(Namespace, () => [])
  const free = operator(Free).child('config', ConfigMap, () => ({}))
  const { objects } = manifestsOf([bound, free])
  const rules = objects('config/rbac/role.yaml')
    .filter((object) => object.rules !== undefined)
    .map((object) => ({
      role: summary(object),
      resources: (object.rules as { resources: string[] }[]).flatMap(({ resources }) => resources),
    }))
  expect(rules).toEqual([
    {
      role: 'ClusterRole /shop-app',
      resources: [
        'configmaps',
        'events',
        'namespaces',
        // To report names that do not exist.
        'namespaces',
        'customresourcedefinitions',
        'frees',
        'frees/finalizers',
        'clusterroles',
      ],
    },
    { role: 'Role a/shop-app', resources: ['events', 'bounds', 'bounds/finalizers'] },
  ])
})

test('generates a ClusterRole for namespaces that are selected by labels', () => {
  const labelled = operator(ConfigMap, {
    name: 'configmaps',
    namespaces: { labelSelector: 'team=a' },
  })
    .owns(Secret)
    .reconcile(async () => undefined)
  const { objects, files } = manifestsOf([labelled])
  expect(objects('config/rbac/role.yaml').map(summary)).toEqual([
    'ClusterRole /shop-app',
    'ClusterRoleBinding /shop-app',
  ])
  // A built-in kind has no CRD, no roles for users and no sample.
  expect(files.filter(({ path }) => /crd|samples|editor/.test(path))).toEqual([])
})

test('aggregates the roles for users to admin, edit and view', () => {
  const { objects } = manifestsOf([application])
  const [editor] = objects('config/rbac/application-editor.yaml')
  expect(editor).toMatchObject({
    metadata: {
      name: 'applications.shclub.github.io-editor',
      labels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' },
    },
    rules: [
      { verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
      { resources: ['applications/status'], verbs: ['get'] },
    ],
  })
})

test('generates no manifest for a system namespace', () => {
  const { files } = manifestsOf([application], { namespace: 'default' })
  expect(files.map(({ path }) => path)).not.toContain('config/manager/namespace.yaml')
})

test('generates the port and the Service of HTTP sources', () => {
  const withSource = operator(ConfigMap, { name: 'configmaps' }).httpSource('/hook', () => [])
  const { text, objects } = manifestsOf([withSource])
  expect(text('config/manager/deployment.yaml')).toContain('name: HTTP_SOURCES_PORT')
  expect(objects('config/manager/http-sources-service.yaml')).toMatchObject([
    { spec: { ports: [{ port: 80, targetPort: 'http-sources' }] } },
  ])
})

test('labels every generated object with its name and its manager', () => {
  const { files, objects } = manifestsOf([application], { watch: ['a'] })
  const generated = files.filter(({ path, isKept }) => !isKept && !path.includes('kustomization'))
  for (const { metadata } of generated.flatMap(({ path }) => objects(path))) {
    expect(metadata.labels).toMatchObject({
      'app.kubernetes.io/name': 'shop-app',
      'app.kubernetes.io/managed-by': 'setpoint',
    })
  }
})

test('the Deployment has the env, resources and pod fields of the settings', () => {
  const secret = { secretKeyRef: { name: 'inventory', key: 'token' } }
  const { objects } = manifestsOf([application], {
    env: { INVENTORY_URL: 'https://inventory', TOKEN: secret },
    resources: { limits: { memory: '1Gi', cpu: null } },
    pod: { nodeSelector: { disk: 'ssd' }, priorityClassName: 'high' },
  })
  expect(objects('config/manager/deployment.yaml')[0]?.spec).toMatchObject({
    template: {
      spec: {
        nodeSelector: { disk: 'ssd' },
        priorityClassName: 'high',
        serviceAccountName: 'shop-app',
        containers: [
          {
            env: [
              { name: 'LEADER_ELECTION', value: 'true' },
              { name: 'WEBHOOKS_SERVICE', value: 'shop-app-system/shop-app-webhooks' },
              { name: 'INVENTORY_URL', value: 'https://inventory' },
              { name: 'TOKEN', valueFrom: secret },
            ],
            resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { memory: '1Gi' } },
          },
        ],
      },
    },
  })
})

test('generates the APIService of an aggregated API, its permissions and roles for users', () => {
  const Usage = defineResource({
    group: 'usage.example.com',
    version: 'v1',
    kind: 'Usage',
    spec: z.object({ cpu: z.string() }),
  })
  const api = serveApi({
    resources: [serveResource(Usage, { get: () => undefined, list: () => [] })],
  })
  const { files, objects } = manifestsOf([api])
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['config/rbac/usage-viewer.yaml', 'config/webhooks/service.yaml']),
  )
  expect(files.some(({ path }) => path.includes('/crd/'))).toBe(false)
  expect(objects('config/webhooks/api-services.yaml')).toMatchObject([
    {
      kind: 'APIService',
      metadata: { name: 'v1.usage.example.com' },
      spec: {
        group: 'usage.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 100,
        service: { name: 'shop-app-webhooks', namespace: 'shop-app-system', port: 443 },
      },
    },
  ])
  const roles = objects('config/rbac/webhooks-role.yaml')
  expect(roles.map(({ kind }) => kind)).toEqual([
    'RoleBinding',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ])
  expect(roles[0]).toMatchObject({
    metadata: { namespace: 'kube-system' },
    roleRef: { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
  })
  expect(roles[1]?.rules).toEqual([
    {
      apiGroups: ['apiregistration.k8s.io'],
      resources: ['apiservices'],
      resourceNames: ['v1.usage.example.com'],
      verbs: ['get', 'patch'],
    },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ])
})
