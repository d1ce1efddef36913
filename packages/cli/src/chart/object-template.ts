import { toYaml, type ClusterObject } from '../generate/index.ts'
import type { ChartObject, ChartPart } from './chart-source.ts'
import { deploymentManifest } from './deployment-template.ts'
import { asTemplate, blockOf, placeholders, rawValue } from './expressions.ts'

/** What the templates of a chart have in common. */
interface TemplateContext {
  readonly chart: string
  readonly lease: string | undefined
}

type Manifest = ClusterObject['manifest']

/** A file of the chart's templates. */
export function templateOf({ path, objects }: ChartPart, context: TemplateContext): string {
  const texts = objects.map((each) => documentOf(each, context))
  const condition = conditionOf(path)
  const body = texts.join('')
  return condition === undefined ? body : `{{- if ${condition} }}\n${body}{{- end }}\n`
}

/** The value that turns the objects of a file on; `undefined` if they always exist. */
function conditionOf(path: string): string | undefined {
  const conditions: readonly (readonly [RegExp, string])[] = [
    [/^crd\//, '$.Values.crds.enabled'],
    [/^rbac\/.*-(editor|viewer)\.yaml$/, '$.Values.rbac.userRoles'],
    [/^rbac\/service-account\.yaml$/, '$.Values.serviceAccount.create'],
    [/^rbac\//, '$.Values.rbac.create'],
    [/network-policy\.yaml$/, '$.Values.networkPolicy.enabled'],
    [
      /disruption-budget\.yaml$/,
      'and $.Values.podDisruptionBudget.enabled (gt (int $.Values.replicas) 1)',
    ],
    [/^webhooks\/(configurations|api-services)\.yaml$/, '$.Values.webhooks.register'],
    [/^monitoring\/service-monitor\.yaml$/, '$.Values.monitoring.serviceMonitor.enabled'],
    [/^monitoring\/alerts\.yaml$/, '$.Values.monitoring.alerts.enabled'],
    [/^monitoring\/dashboard\.yaml$/, '$.Values.monitoring.dashboard.enabled'],
    [/^policies\//, '$.Values.policies.enabled'],
  ]
  return conditions.find(([pattern]) => pattern.test(path))?.[1]
}

const around: Readonly<Record<ChartObject['when'], readonly [string, string]>> = {
  always: ['', ''],
  all: ['{{- if not $.Values.watchNamespaces }}\n', '{{- end }}\n'],
  some: ['{{- if $.Values.watchNamespaces }}\n', '{{- end }}\n'],
  each: ['{{- range $watched := $.Values.watchNamespaces }}\n', '{{- end }}\n'],
}

function documentOf({ object, when }: ChartObject, context: TemplateContext): string {
  const manifest = changedManifest(object.manifest, when)
  const [before, after] = around[when]
  return `${before}---\n${asTemplate(toYaml(manifest), context)}${after}`
}

/** The manifest with what a release decides: labels, account, annotations, values. */
function changedManifest(manifest: Manifest, when: ChartObject['when']): object {
  const labelled = relabelled(manifest) as Manifest
  const namespace = labelled.metadata.namespace
  const inRange = rawValue('{{ $watched | quote }}')
  const metadata = {
    ...labelled.metadata,
    ...(namespace === undefined ? {} : { namespace: when === 'each' ? inRange : namespace }),
    labels: { ...labelled.metadata.labels, ...moreLabels(manifest) },
    ...annotationsOf(manifest),
  }
  const own = { ...labelled, metadata }
  switch (manifest.kind) {
    case 'Deployment':
      return deploymentManifest(own)
    case 'ServiceAccount':
      return { ...own, metadata: { ...metadata, name: placeholders.account } }
    case 'PodDisruptionBudget':
      return withSpec(own, {
        maxUnavailable: rawValue('{{ $.Values.podDisruptionBudget.maxUnavailable }}'),
      })
    case 'ValidatingWebhookConfiguration':
    case 'MutatingWebhookConfiguration':
      return { ...own, webhooks: (manifest['webhooks'] as object[]).map(withFailurePolicy) }
    default:
      return 'subjects' in own
        ? { ...own, subjects: (own['subjects'] as object[]).map(asAccount) }
        : own
  }
}

function withSpec(manifest: object, more: object): object {
  const { spec } = manifest as { readonly spec: object }
  return { ...manifest, spec: { ...spec, ...more } }
}

function asAccount(subject: object): object {
  return { ...subject, name: placeholders.account }
}

function withFailurePolicy(webhook: object): object {
  const { failurePolicy } = webhook as { readonly failurePolicy: string }
  const value = rawValue(`{{ $.Values.webhooks.failurePolicy | default "${failurePolicy}" }}`)
  return { ...webhook, failurePolicy: value }
}

/** Helm is the manager, and the release the instance, in labels and selectors. */
function relabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relabelled)
  if (typeof value !== 'object' || value === null) return value
  const changed = Object.entries(value).map(([name, each]) => {
    if (name === 'app.kubernetes.io/managed-by') return [name, placeholders.service]
    if (name === 'app.kubernetes.io/instance') return [name, placeholders.release]
    return [name, relabelled(each)]
  })
  return Object.fromEntries(changed) as unknown
}

function moreLabels({ kind }: Manifest): object {
  const isMonitoring = kind === 'ServiceMonitor' || kind === 'PrometheusRule'
  return {
    [blockOf('{{- include "CHART.moreLabels" $ | nindent INDENT }}')]: null,
    ...(isMonitoring ? { [withBlock('monitoring.labels')]: null } : {}),
  }
}

function withBlock(value: string): string {
  return blockOf(`{{- with $.Values.${value} }}`, '{{- toYaml . | nindent INDENT }}', '{{- end }}')
}

/** CRDs stay when the release is uninstalled, because the objects of users would be deleted too. */
function annotationsOf({ kind, metadata }: Manifest): object {
  if (kind === 'CustomResourceDefinition') {
    const keep = blockOf(
      '{{- if $.Values.crds.keep }}',
      'helm.sh/resource-policy: keep',
      '{{- end }}',
    )
    return { annotations: { ...metadata.annotations, [keep]: null } }
  }
  if (kind !== 'ServiceAccount') return {}
  return {
    [blockOf(
      '{{- with $.Values.serviceAccount.annotations }}',
      'annotations:',
      '  {{- toYaml . | nindent INDENT+2 }}',
      '{{- end }}',
    )]: null,
  }
}
