import { blockOf, rawValue } from './expressions.ts'

/** Fields of the pod that are values of the chart, with empty defaults. */
export const podValues = {
  affinity: {},
  dnsConfig: {},
  dnsPolicy: '',
  hostAliases: [],
  imagePullSecrets: [],
  initContainers: [],
  nodeSelector: {},
  priorityClassName: '',
  runtimeClassName: '',
  schedulerName: '',
  tolerations: [],
  topologySpreadConstraints: [],
  volumes: [],
} as const

interface DeploymentManifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: object }
      readonly spec: { readonly containers: readonly [ContainerManifest] }
    }
  }
}

interface ContainerManifest {
  readonly env: readonly { readonly name: string }[]
  readonly [field: string]: unknown
}

/** The Deployment of `generate` with the values of the chart for its pods. */
export function deploymentManifest(manifest: object): object {
  const { spec, ...others } = manifest as DeploymentManifest
  const { template } = spec
  const { containers, ...pod } = template.spec
  const labels = { ...template.metadata.labels, [withValue('podLabels')]: null }
  const annotations = field('podAnnotations', 'annotations')
  return {
    ...others,
    spec: {
      ...spec,
      replicas: rawValue('{{ $.Values.replicas }}'),
      template: {
        metadata: { labels, [annotations]: null },
        spec: {
          ...pod,
          serviceAccountName: 'zz-account-zz',
          terminationGracePeriodSeconds: rawValue('{{ $.Values.terminationGracePeriodSeconds }}'),
          securityContext: { [required('podSecurityContext')]: null },
          ...Object.fromEntries(Object.keys(podValues).map((name) => [field(name), null])),
          containers: [containerManifest(containers[0])],
        },
      },
    },
  }
}

function containerManifest({ env, ...container }: ContainerManifest): object {
  return {
    ...container,
    [field('image.pullPolicy', 'imagePullPolicy')]: null,
    env: [
      ...env,
      { name: 'LEASE_NAME', value: 'zz-lease-zz' },
      blockOf(
        '{{- with $.Values.watchNamespaces }}',
        '- name: WATCH_NAMESPACES',
        '  value: {{ join "," . | quote }}',
        '{{- end }}',
      ),
      blockOf(
        '{{- with $.Values.logLevel }}',
        '- name: LOG_LEVEL',
        '  value: {{ . | quote }}',
        '{{- end }}',
      ),
      blockOf(
        '{{- range $name, $value := $.Values.env }}',
        '- name: {{ $name }}',
        '{{- if kindIs "map" $value }}',
        '  valueFrom:',
        '    {{- toYaml $value | nindent INDENT+4 }}',
        '{{- else }}',
        '  value: {{ $value | toString | quote }}',
        '{{- end }}',
        '{{- end }}',
      ),
    ],
    [field('envFrom')]: null,
    resources: { [required('resources')]: null },
    securityContext: { [required('securityContext')]: null },
    [field('volumeMounts')]: null,
  }
}

/** A field that exists only if its value is not empty. */
function field(value: string, name = value): string {
  return blockOf(
    `{{- with $.Values.${value} }}`,
    `${name}:`,
    '  {{- toYaml . | nindent INDENT+2 }}',
    '{{- end }}',
  )
}

function withValue(value: string): string {
  return blockOf(`{{- with $.Values.${value} }}`, '{{- toYaml . | nindent INDENT }}', '{{- end }}')
}

/** The fields of a value that is never empty. */
function required(value: string): string {
  return blockOf(`{{- toYaml $.Values.${value} | nindent INDENT }}`)
}
