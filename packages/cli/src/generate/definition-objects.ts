import type { AnyOperator, AnyResourceDefinition, CrdOptions } from 'setpoint'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { type ClusterObject, sharedLabels } from './cluster-object.ts'
import type { ManifestSettings } from './manifest-settings.ts'

/** The definitions of operators, each once and sorted by name; built-in kinds have none. */
export function definitionsOf(operators: readonly AnyOperator[]): AnyResourceDefinition[] {
  const own = operators.flatMap(({ declaration: { definition } }) => definition ?? [])
  const byName = new Map(own.map((definition) => [crdName(definition), definition]))
  return [...byName].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each)
}

/** The name of a definition's CRD. */
export function crdName({
  plural,
  group,
}: {
  readonly plural: string
  readonly group: string
}): string {
  return `${plural}.${group}`
}

/** The name of a definition's files: its singular, with the group if two definitions share it. */
export function titleOf(
  definition: AnyResourceDefinition,
  all: readonly AnyResourceDefinition[],
): string {
  const { singular, group } = definition
  const same = all.filter((other) => other.singular === singular)
  return same.length > 1 ? `${singular}.${group}` : singular
}

/** The CRD of a definition. */
export function crdObject(
  definition: AnyResourceDefinition,
  settings: ManifestSettings,
  options?: CrdOptions,
): ClusterObject {
  const { metadata, ...crd } = definition.crd(options)
  const { apiVersion, kind, ...fields } = crd
  return {
    kind: CustomResourceDefinition,
    manifest: {
      apiVersion,
      kind,
      metadata: { ...metadata, labels: { ...metadata.labels, ...sharedLabels(settings) } },
      ...fields,
    },
  }
}
