/** The CustomResourceDefinition of a resource model, for `kubectl apply`. */
import {
  type CrdManifest,
  type CrdPrinterColumn,
  type CrdVersion,
  type CrdWebhookClientConfig,
} from '../schema/index.ts'
import { crdErrors } from '../schema/crd/crd-errors.ts'
import { kindName } from '../kinds/kind-name.ts'
import { printerColumns, resolvesIn } from './columns.ts'
import { throwProblems } from './options/problem.ts'
import type { ResourceModel, VersionModel } from './resource-model.ts'

/** Options that only a deployment knows. */
export interface CrdOptions {
  /** The address of the conversion webhook; only for resources with several versions. */
  readonly conversionWebhook?: CrdWebhookClientConfig
}

/**
 * The default is a service that might not exist yet. Without it a conversion fails, while the
 * strategy None would silently drop the fields that the other version does not have.
 */
const defaultWebhook: CrdWebhookClientConfig = {
  service: { name: 'setpoint-webhooks', namespace: 'default', path: '/convert', port: 443 },
}

/** Like `crdOf`, and validates the options. */
export function checkedCrd(model: ResourceModel, options: CrdOptions): CrdManifest {
  const crd = crdOf(model, options)
  throwProblems(
    'CRD_INVALID',
    `the CRD ${crd.metadata.name}`,
    crdErrors(crd).map(({ field, message }) => ({ path: field, reason: message })),
  )
  return crd
}

/** Builds a new manifest each time: the caller may add labels or annotations to it. */
export function crdOf(model: ResourceModel, options: CrdOptions = {}): CrdManifest {
  const [hub] = model.versions
  return structuredClone<CrdManifest>({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: kindName(model) },
    spec: {
      group: model.group,
      names: {
        kind: model.kind,
        listKind: `${model.kind}List`,
        plural: model.plural,
        singular: model.singular,
        ...(model.shortNames.length === 0 ? {} : { shortNames: model.shortNames }),
        ...(model.categories.length === 0 ? {} : { categories: model.categories }),
      },
      scope: model.scope,
      versions: model.versions.map((version) => crdVersion(version, hub, model)),
      ...(model.versions.length === 1
        ? {}
        : {
            conversion: {
              strategy: 'Webhook',
              webhook: {
                conversionReviewVersions: ['v1'],
                clientConfig: options.conversionWebhook ?? defaultWebhook,
              },
            },
          }),
    },
  })
}

function crdVersion(version: VersionModel, hub: VersionModel, model: ResourceModel): CrdVersion {
  const columns = columnsOf(version, hub)
  const selectable = model.selectableFields.filter(
    (path) => version === hub || resolvesIn(version.schema, path),
  )
  return {
    name: version.name,
    served: version.isServed,
    storage: version.isStored,
    ...(version.deprecated === false ? {} : { deprecated: true }),
    ...(typeof version.deprecated === 'string' ? { deprecationWarning: version.deprecated } : {}),
    schema: { openAPIV3Schema: version.schema },
    ...subresourcesOf(version, model),
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
    ...(selectable.length === 0
      ? {}
      : { selectableFields: selectable.map((jsonPath) => ({ jsonPath })) }),
  }
}

/** Another version has the hub's columns for the fields that it has, unless it defines its own. */
function columnsOf(version: VersionModel, hub: VersionModel): CrdPrinterColumn[] {
  if (version.columns !== undefined) return printerColumns(version.columns, version.schema)
  const inherited = printerColumns(hub.columns ?? {}, hub.schema)
  return inherited.filter((column) => resolvesIn(version.schema, column.jsonPath))
}

/** Another version can be scaled if it has the fields at the same paths. */
function subresourcesOf(
  { schema }: VersionModel,
  model: ResourceModel,
): Pick<CrdVersion, 'subresources'> {
  const paths = Object.values(model.scale ?? {}) as string[]
  const canScale = model.scale !== undefined && paths.every((path) => resolvesIn(schema, path))
  if (!model.hasStatus && !canScale) return {}
  return {
    subresources: {
      ...(model.hasStatus ? { status: {} } : {}),
      ...(canScale ? { scale: { ...model.scale } } : {}),
    },
  }
}
