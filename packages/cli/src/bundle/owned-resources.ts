import type { AnyOperator, AnyResourceDefinition, Kind } from 'setpoint'
import { crdName, definitionsOf } from '../generate/index.ts'
import { descriptors, displayName } from './descriptors.ts'

/** The owned CRDs of a ClusterServiceVersion: an entry for every version. */
export function ownedResources(operators: readonly AnyOperator[]): object[] {
  return definitionsOf(operators).flatMap((definition) =>
    definition.versions.map((version) => {
      const { properties = {}, description } = definition.schema(version)
      return {
        name: crdName(definition),
        version,
        kind: definition.kind,
        displayName: displayName(definition.kind),
        description: description ?? `${displayName(definition.kind)} of ${definition.group}`,
        resources: resourcesOf(operators, definition),
        specDescriptors: descriptors(properties['spec'], 'spec'),
        statusDescriptors: descriptors(properties['status'], 'status'),
      }
    }),
  )
}

/** The owned APIs of a ClusterServiceVersion: the resources of aggregated APIs. */
export function ownedApis(operators: readonly AnyOperator[], deploymentName: string): object[] {
  return operators.flatMap(({ declaration: { api } }) =>
    (api?.resources ?? []).map(({ definition: { group, version, kind, plural } }) => ({
      name: plural,
      group,
      version,
      kind,
      displayName: displayName(kind),
      description: `${displayName(kind)} of ${group}`,
      deploymentName,
      containerPort: 9443,
    })),
  )
}

/** The kinds that the operators of a resource create, which consoles show below it. */
function resourcesOf(
  operators: readonly AnyOperator[],
  definition: AnyResourceDefinition,
): object[] {
  const kinds: Kind[] = operators
    .map(({ declaration }) => declaration)
    .filter((declaration) => declaration.kind.kind === definition.kind)
    .flatMap(({ children, owns }) => [...children.map(({ kind }) => kind), ...owns])
  const known = new Map(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]))
  return [...known.values()].map(({ kind, version }) => ({ kind, name: '', version }))
}
