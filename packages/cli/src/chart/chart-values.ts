import type { ManifestSettings } from '../generate/index.ts'
import { imageParts } from '../generate/index.ts'
import { podValues } from './deployment-template.ts'
import type { ValueNode, ValueTree } from './value-tree.ts'

/** What the values of a chart depend on. */
export interface ValuesSource {
  readonly settings: ManifestSettings
  readonly hasPods: boolean
  readonly hasWebhooks: boolean
  /** Whether `generate` has a file whose path matches: values for nothing would confuse. */
  readonly hasFile: (path: RegExp) => boolean
  /** Fields of the container and the pod of `generate`, which are defaults of values. */
  readonly defaults: {
    readonly resources: unknown
    readonly securityContext: unknown
    readonly podSecurityContext: unknown
    readonly terminationGracePeriodSeconds: unknown
  }
}

const registrations = /^webhooks\/(configurations|api-services)\.yaml$/

const text = { type: 'string' }
const flag = { type: 'boolean' }
const texts = { type: 'object', additionalProperties: { type: 'string' } }
const objects = { type: 'array', items: { type: 'object' } }

function value(comment: string, of: unknown, schema: object): ValueNode {
  return { comment, value: of, schema: schema as Readonly<Record<string, unknown>> }
}

/** The values of a chart; their defaults are the settings of the project. */
export function chartValues(source: ValuesSource): ValueTree {
  const { settings } = source
  return {
    nameOverride: value('Replaces the name of the chart in names of objects.', '', text),
    fullnameOverride: value(
      'The name of the objects, instead of one made from the release.',
      '',
      text,
    ),
    commonLabels: value('Labels of all objects.', settings.workload.labels ?? {}, texts),
    watchNamespaces: value(
      'The namespaces in which the operators work. Empty: all namespaces.\nThe namespaces must exist: the chart creates Roles in them.',
      settings.watch ?? [],
      { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true },
    ),
    ...(source.hasPods ? workloadValues(source) : {}),
    ...(source.hasFile(/^crd\//) ? { crds: crdValues() } : {}),
    rbac: {
      comment: 'Roles.',
      fields: {
        ...(source.hasPods
          ? { create: value('Create the roles that the operators need.', true, flag) }
          : {}),
        ...(source.hasFile(/-editor\.yaml$/) ? { userRoles: userRolesValue() } : {}),
      },
    },
    ...(source.hasFile(registrations) ? { webhooks: webhookValues(source) } : {}),
    ...(source.hasFile(/^policies\//)
      ? {
          policies: {
            comment: 'Admission policies.',
            fields: { enabled: value('Create the policies and their bindings.', true, flag) },
          },
        }
      : {}),
    ...(source.hasPods ? optionalValues(source) : {}),
  }
}

function userRolesValue(): ValueNode {
  return value(
    'Create roles by which users of the cluster roles admin, edit and view can use the resources.\nOff in the second release of a cluster.',
    true,
    flag,
  )
}

function workloadValues({ settings, defaults }: ValuesSource): ValueTree {
  const { workload, replicas } = settings
  const pod = { ...podValues, ...workload.pod }
  return {
    image: imageValues(settings),
    replicas: value('The number of pods: one works, the others are standbys.', replicas, {
      type: 'integer',
      minimum: 0,
    }),
    logLevel: value('trace, debug, info, warn, error or silent. Empty: info.', '', {
      enum: ['', 'trace', 'debug', 'info', 'warn', 'error', 'silent'],
    }),
    env: value(
      'Environment variables: texts, or sources such as\n{ secretKeyRef: { name: my-secret, key: token } }.',
      workload.env ?? {},
      {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean', 'object', 'null'] },
      },
    ),
    envFrom: value(
      'ConfigMaps and Secrets whose keys are environment variables.',
      workload.envFrom ?? [],
      objects,
    ),
    resources: value('Requests and limits.', defaults.resources, { type: 'object' }),
    podLabels: value('Labels of the pods.', workload.podLabels ?? {}, texts),
    podAnnotations: value('Annotations of the pods.', workload.podAnnotations ?? {}, texts),
    podSecurityContext: value('The security context of the pods.', defaults.podSecurityContext, {
      type: 'object',
    }),
    securityContext: value('The security context of the container.', defaults.securityContext, {
      type: 'object',
    }),
    terminationGracePeriodSeconds: value(
      'How long a pod may need to stop; longer than the grace period of the operators.',
      defaults.terminationGracePeriodSeconds,
      { type: 'integer', minimum: 0 },
    ),
    ...Object.fromEntries(
      Object.entries(podValues).map(([name, empty]) => [
        name,
        value(`The field ${name} of the pods.`, pod[name as keyof typeof pod], {
          type: typeof empty === 'string' ? 'string' : Array.isArray(empty) ? 'array' : 'object',
        }),
      ]),
    ),
    volumeMounts: value(
      'Where the container mounts the volumes.',
      workload.volumeMounts ?? [],
      objects,
    ),
    serviceAccount: {
      comment: 'The service account of the operators.',
      fields: {
        create: value('Create it.', true, flag),
        name: value(
          'Its name. Empty: the name of the other objects, or default if it is not created.',
          '',
          text,
        ),
        annotations: value(
          'Its annotations, such as the role of a cloud provider.',
          workload.serviceAccountAnnotations ?? {},
          texts,
        ),
      },
    },
  }
}

function imageValues({ image }: ManifestSettings): ValueNode {
  const { name, tag = '', digest = '' } = imageParts(image)
  return {
    comment: 'The image of the operators.',
    fields: {
      repository: value('With the registry, without a tag.', name, {
        type: 'string',
        minLength: 1,
      }),
      tag: value('Empty: the appVersion of the chart.', tag, text),
      digest: value('Such as sha256:...; it takes precedence over the tag.', digest, {
        type: 'string',
        pattern: '^([a-z0-9+]+:[0-9a-f]+)?$',
      }),
      pullPolicy: value('Empty: the default of Kubernetes.', '', {
        enum: ['', 'Always', 'IfNotPresent', 'Never'],
      }),
    },
  }
}

function crdValues(): ValueNode {
  return {
    comment: 'CustomResourceDefinitions. They are templates, so that helm upgrade changes them.',
    fields: {
      enabled: value(
        'Install and upgrade the CRDs with this release. Off in the second release of a cluster,\nor if another tool installs them.',
        true,
        flag,
      ),
      keep: value(
        'Keep the CRDs when the release is uninstalled. Otherwise all objects of the resources are deleted too.',
        true,
        flag,
      ),
    },
  }
}

function webhookValues({ hasFile }: ValuesSource): ValueNode {
  const failurePolicy = value(
    'Fail or Ignore, for all webhooks. Empty: as the operators declare it.',
    '',
    { enum: ['', 'Fail', 'Ignore'] },
  )
  return {
    comment: 'Webhooks. The operators always serve them.',
    fields: {
      register: value(
        'Create the objects by which API servers call the webhooks and the aggregated APIs.',
        true,
        flag,
      ),
      ...(hasFile(/configurations\.yaml$/) ? { failurePolicy } : {}),
    },
  }
}

function optionalValues({ settings, hasWebhooks }: ValuesSource): ValueTree {
  const { monitoring, networkPolicy, disruptionBudget } = settings
  const enabled = (comment: string, isOn: boolean): ValueNode => value(comment, isOn, flag)
  return {
    networkPolicy: {
      comment: 'A NetworkPolicy.',
      fields: {
        enabled: enabled('Open only the ports of the pods.', networkPolicy ?? hasWebhooks),
      },
    },
    podDisruptionBudget: {
      comment: 'A PodDisruptionBudget, if there is more than one replica.',
      fields: {
        enabled: enabled('Create it.', disruptionBudget),
        maxUnavailable: value('How many pods may be unavailable: a number, or a percentage.', 1, {
          type: ['integer', 'string'],
        }),
      },
    },
    monitoring: {
      comment: 'Objects for Prometheus and Grafana.',
      fields: {
        labels: value(
          'Labels by which your Prometheus selects ServiceMonitors and PrometheusRules.',
          monitoring?.labels ?? {},
          texts,
        ),
        serviceMonitor: {
          comment: 'A ServiceMonitor. It needs the CRDs of the Prometheus Operator.',
          fields: {
            enabled: enabled('Create it.', monitoring?.serviceMonitor ?? false),
            interval: value('How often Prometheus scrapes.', monitoring?.interval ?? '30s', text),
          },
        },
        alerts: {
          comment: 'A PrometheusRule. It needs the CRDs of the Prometheus Operator.',
          fields: { enabled: enabled('Create it.', monitoring?.alerts ?? false) },
        },
        dashboard: {
          comment: 'A ConfigMap with a Grafana dashboard.',
          fields: { enabled: enabled('Create it.', monitoring?.dashboard ?? false) },
        },
      },
    },
  }
}
