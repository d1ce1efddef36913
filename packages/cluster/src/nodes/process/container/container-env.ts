import type { Frozen } from 'setpoint'
import type { Container, EnvVar, Service } from 'setpoint/kinds'
import { expandVariables } from './expand-variables.ts'
import { fieldValue, type PodFacts, resourceValue } from '../field-values.ts'
import { configMapValues, MissingSource, type PodSources, secretValues } from '../pod-sources.ts'

type Variables = Record<string, string>

/**
 * The environment of a container as a kubelet computes it: the services of its namespace, then
 * `envFrom`, then `env` in its order, where a value may reference earlier variables. Throws a
 * `MissingSource` if a source does not exist.
 */
export function containerEnv(
  facts: PodFacts,
  container: Frozen<Container>,
  sources: PodSources,
): Variables {
  const services = serviceEnv(facts, sources)
  const own: Variables = {}
  for (const variable of container.env ?? []) {
    const value = valueOf(variable, { facts, container, sources, known: { ...services, ...own } })
    if (value !== undefined) own[variable.name] = value
  }
  return { ...services, ...importedEnv(container, sources), ...own }
}

interface ValueParts {
  readonly facts: PodFacts
  readonly container: Frozen<Container>
  readonly sources: PodSources
  readonly known: Readonly<Variables>
}

function valueOf(variable: Frozen<EnvVar>, parts: ValueParts): string | undefined {
  const { facts, container, sources, known } = parts
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = variable.valueFrom ?? {}
  if (fieldRef !== undefined) return fieldValue(facts, fieldRef.fieldPath)
  if (resourceFieldRef !== undefined) {
    const { containerName = container.name } = resourceFieldRef
    const { containers, initContainers = [] } = facts.pod.spec
    const meant = [...containers, ...initContainers].find(({ name }) => name === containerName)
    return resourceValue(meant ?? container, resourceFieldRef)
  }
  if (configMapKeyRef !== undefined) {
    return keyOf('ConfigMap', configMapKeyRef, {
      ...parts,
      values: configMapValues(sources, configMapKeyRef),
    })
  }
  if (secretKeyRef !== undefined) {
    return keyOf('Secret', secretKeyRef, { ...parts, values: secretValues(sources, secretKeyRef) })
  }
  return expandVariables(variable.value ?? '', known)
}

function keyOf(
  kind: string,
  { name = '', key, optional = false }: { readonly name?: string; key: string; optional?: boolean },
  {
    values,
    facts,
  }: ValueParts & { readonly values: Readonly<Record<string, Uint8Array>> | undefined },
): string | undefined {
  const value = values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined
  if (value !== undefined) return new TextDecoder().decode(value)
  if (optional) return undefined
  const { namespace } = facts.pod.metadata
  throw new MissingSource(`couldn't find key ${key} in ${kind} ${namespace}/${name}`)
}

function importedEnv({ envFrom = [] }: Frozen<Container>, sources: PodSources): Variables {
  const imported: Variables = {}
  for (const { configMapRef, secretRef, prefix = '' } of envFrom) {
    const values = {
      ...(configMapRef === undefined ? {} : configMapValues(sources, configMapRef)),
      ...(secretRef === undefined ? {} : secretValues(sources, secretRef)),
    }
    for (const [key, value] of Object.entries(values)) {
      imported[`${prefix}${key}`] = new TextDecoder().decode(value)
    }
  }
  return imported
}

/** The service variables: of the pod's namespace unless disabled, and always of the API. */
function serviceEnv({ pod }: PodFacts, sources: PodSources): Variables {
  const services = pod.spec.enableServiceLinks === false ? [] : sources.services()
  const links = services.map(linksOf)
  const { hostname, port } = new URL(sources.apiUrl)
  const api = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
  return Object.assign({}, ...links, { ...api, KUBERNETES_SERVICE_PORT_HTTPS: port }) as Variables
}

function linksOf({ metadata, spec = {} }: Frozen<Service>): Variables {
  const { clusterIP = '', ports = [] } = spec
  const [first] = ports
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return {}
  const prefix = variableName(metadata.name)
  return {
    [`${prefix}_SERVICE_HOST`]: clusterIP,
    [`${prefix}_SERVICE_PORT`]: String(first.port),
    ...Object.fromEntries(
      ports.flatMap(({ name = '', port }) =>
        name === '' ? [] : [[`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]],
      ),
    ),
  }
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_')
}
