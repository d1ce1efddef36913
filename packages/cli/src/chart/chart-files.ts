import {
  definitionsOf,
  hasWebhooks,
  type ManifestSource,
  manifestSettings,
  needsPods,
  projectObjects,
  toYaml,
} from '../generate/index.ts'
import type { OutputFile } from '../output/index.ts'
import type { Project } from '../project/index.ts'
import { helpersTemplate, notesTemplate, podHelpersTemplate } from './chart-helpers.ts'
import { type ChartPart, chartParts } from './chart-source.ts'
import { chartValues, type ValuesSource } from './chart-values.ts'
import { templateOf } from './object-template.ts'
import { valuesSchema, valuesYaml } from './value-tree.ts'

/** The files of a Helm chart, relative to its folder. The same operators give the same bytes. */
export function chartFiles(source: ManifestSource): OutputFile[] {
  const { project, operators } = source
  const settings = manifestSettings(project, source.options ?? {})
  const context = { chart: settings.name, lease: settings.lease }
  const hasPods = needsPods(operators)
  const parts = chartParts(source)
  const values = chartValues(valuesSource(source, parts))
  const helpers = `${helpersTemplate(settings.name)}${hasPods ? podHelpersTemplate(settings.name) : ''}`
  return [
    { path: 'Chart.yaml', text: toYaml(chartYaml(project, settings.name)) },
    { path: 'values.yaml', text: valuesYaml(values) },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(values), undefined, 2)}\n` },
    { path: '.helmignore', text: '.git/\n*.tgz\n*.swp\n' },
    { path: 'templates/_helpers.tpl', text: helpers },
    { path: 'templates/NOTES.txt', text: notesTemplate(settings.name, definitionsOf(operators)) },
    ...parts.map((part) => ({
      path: `templates/${flatName(part)}`,
      text: templateOf(part, context),
    })),
  ]
}

/** Templates of a chart are in one folder: `crd/a.yaml` is `crd-a.yaml`. */
function flatName({ path }: ChartPart): string {
  return path.replaceAll('/', '-').replace(/^manager-/, '')
}

function valuesSource(source: ManifestSource, parts: readonly ChartPart[]): ValuesSource {
  const { operators, project } = source
  const objects = projectObjects(source)
  const deployment = objects.workload.find(({ manifest }) => manifest.kind === 'Deployment')
  const { template } = (deployment?.manifest['spec'] ?? { template: emptyTemplate }) as {
    readonly template: typeof emptyTemplate
  }
  const { containers, securityContext, terminationGracePeriodSeconds } = template.spec
  const [container] = containers
  return {
    settings: manifestSettings(project, source.options ?? {}),
    hasPods: needsPods(operators),
    hasWebhooks: hasWebhooks(operators),
    hasFile: (path) => parts.some((part) => path.test(part.path)),
    defaults: {
      resources: container?.resources,
      securityContext: container?.securityContext,
      podSecurityContext: securityContext,
      terminationGracePeriodSeconds,
    },
  }
}

const emptyTemplate = {
  spec: {
    securityContext: {},
    terminationGracePeriodSeconds: 0,
    containers: [{ resources: {}, securityContext: {} }],
  },
}

/** Kubernetes 1.30 is the oldest version that Setpoint supports; `-0` permits vendors' suffixes. */
const kubeVersion = '>=1.30.0-0'

function chartYaml({ version, about = {} }: Project, name: string): object {
  const { description, homepage, keywords, maintainers, repository, icon } = about
  return {
    apiVersion: 'v2',
    name,
    description: description ?? `The operator ${name}.`,
    type: 'application',
    version,
    appVersion: version.replaceAll(/[^\w.-]/g, '-'),
    kubeVersion,
    ...(keywords === undefined ? {} : { keywords }),
    ...(homepage === undefined ? {} : { home: homepage }),
    ...(repository === undefined ? {} : { sources: [repository] }),
    ...(maintainers === undefined ? {} : { maintainers }),
    ...(icon === undefined ? {} : { icon }),
  }
}
