import type { ClusterObject, ManifestSettings } from '../generate/index.ts'
import { type ManifestSource, manifestSettings, objectFiles } from '../generate/index.ts'
import { placeholders } from './expressions.ts'

/** An object of the chart, and the watched namespaces for which it is made. */
export interface ChartObject {
  readonly object: ClusterObject
  /**
   * `always`: the same for all values of `watchNamespaces`. `all`: only if all namespaces are
   * watched. `some`: only if some are. `each`: once for each of them.
   */
  readonly when: 'always' | 'all' | 'some' | 'each'
}

/** A file of `generate`, as objects of the chart. */
export interface ChartPart {
  readonly path: string
  readonly objects: readonly ChartObject[]
}

/**
 * The objects of `generate` with all options on and placeholders for what a release decides. They
 * are computed twice: for all namespaces, and for watched ones. What differs is decided by the value
 * `watchNamespaces`.
 */
export function chartParts(source: ManifestSource): ChartPart[] {
  const wide = filesFor(source, undefined)
  const narrow = filesFor(source, [placeholders.watched])
  const paths = [...new Set([...wide, ...narrow].map(({ path }) => path))]
  const at = (files: typeof wide, path: string): readonly ClusterObject[] =>
    files.find((file) => file.path === path)?.objects ?? []
  return paths.map((path) => ({ path, objects: merged(at(wide, path), at(narrow, path)) }))
}

function filesFor(source: ManifestSource, watch: readonly string[] | undefined) {
  const own = manifestSettings(source.project, source.options ?? {})
  const settings: ManifestSettings = {
    ...own,
    name: placeholders.fullname,
    sharedName: placeholders.sharedName,
    namespace: placeholders.namespace,
    image: placeholders.image,
    lease: placeholders.lease,
    replicas: 2,
    watch,
    workload: {},
    monitoring: {
      serviceMonitor: true,
      alerts: true,
      dashboard: true,
      labels: {},
      interval: placeholders.interval,
    },
    networkPolicy: true,
    disruptionBudget: true,
  }
  return objectFiles(source, settings)
    .filter(({ part }) => part !== 'namespace')
    .map(({ path, objects }) => ({ path, objects: objects.map(withoutWatch) }))
}

/** The variable of the watched namespaces is a value: `deployment-template.ts` adds it. */
function withoutWatch(object: ClusterObject): ClusterObject {
  const { kind, manifest } = object
  if (manifest.kind !== 'Deployment') return object
  const isVariable = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    value.name === 'WATCH_NAMESPACES'
  const text = JSON.stringify(manifest, (_, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => !isVariable(item)) : value,
  )
  return { kind, manifest: JSON.parse(text) as ClusterObject['manifest'] }
}

function merged(wide: readonly ClusterObject[], narrow: readonly ClusterObject[]): ChartObject[] {
  const same = new Set(
    wide.map(textOf).filter((text) => narrow.some((one) => textOf(one) === text)),
  )
  const isSame = (object: ClusterObject): boolean => same.has(textOf(object))
  return [
    ...wide.map((object): ChartObject => ({ object, when: isSame(object) ? 'always' : 'all' })),
    ...narrow
      .filter((object) => !isSame(object))
      .map((object): ChartObject => {
        const isEach = object.manifest.metadata.namespace === placeholders.watched
        return { object, when: isEach ? 'each' : 'some' }
      }),
  ]
}

function textOf({ manifest }: ClusterObject): string {
  return JSON.stringify(manifest)
}
