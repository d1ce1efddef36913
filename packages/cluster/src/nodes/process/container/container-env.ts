import type { Frozen } from 'setpoint'
import type { Container, EnvVar, Service } from 'setpoint/kinds'
import { ownValue } from '../../../object/index.ts'
import { envProblem } from '../../missing-sources.ts'
import { expandVariables } from './expand-variables.ts'
import { fieldValue, type PodFacts, resourceValue } from '../field-values.ts'
import { configMapTexts, MissingSource, type PodSources, secretValues } from '../pod-sources.ts'

type Variables = Record<string, string>

const utf8 = new TextDecoder()

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
  const problem = envProblem(facts.pod, container, sources)
  if (problem !== undefined) throw new MissingSource(problem)
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
    return ownValue(configMapTexts(sources, configMapKeyRef), configMapKeyRef.key)
  }
  if (secretKeyRef !== undefined) {
    const value = ownValue(secretValues(sources, secretKeyRef), secretKeyRef.key)
    return value && utf8.decode(value)
  }
  return expandVariables(variable.value ?? '', known)
}

function importedEnv({ envFrom = [] }: Frozen<Container>, sources: PodSources): Variables {
  const imported: Variables = {}
  for (const { configMapRef, secretRef, prefix = '' } of envFrom) {
    const texts = configMapRef === undefined ? {} : configMapTexts(sources, configMapRef)
    const values = secretRef === undefined ? {} : secretValues(sources, secretRef)
    for (const [key, text] of Object.entries(texts)) imported[`${prefix}${key}`] = text
    for (const [key, value] of Object.entries(values)) {
      imported[`${prefix}${key}`] = utf8.decode(value)
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
