import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { commandLine } from './container-command.ts'
import { containerEnv } from './container-env.ts'
import { expandVariables } from './expand-variables.ts'
import type { PodFacts } from '../field-values.ts'
import { type MountedPath, rewritePaths } from './mount-paths.ts'
import type { PodSources } from '../pod-sources.ts'
import { podRoot } from '../process-directories.ts'
import type { ProcessImage } from '../process-options.ts'

/** How a container is run as a process. */
export interface ContainerPlan {
  /** The program and its arguments. */
  readonly line: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The directory of the container; it is emptied before every run. */
  readonly home: string
  /** The working directory, in the container's directory or in a volume. */
  readonly directory: string
  readonly mounts: readonly MountedPath[]
  /** The file for its termination message. */
  readonly terminationMessageFile: string
  /** The kubeconfig for clients, if the container has a token. */
  readonly kubeconfig: string | undefined
}

interface PlanParts {
  readonly facts: PodFacts
  readonly container: Frozen<Container>
  readonly image: ProcessImage
  readonly sources: PodSources
  /** The container's own directory. */
  readonly home: string
  /** The directories of the pod's volumes, by name. */
  readonly volumes: ReadonlyMap<string, string>
  /** The PATH for programs. */
  readonly path: string
}

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Computes how a container is run. Throws a `MissingSource` if a source does not exist. */
export function containerPlan(parts: PlanParts): ContainerPlan {
  const { facts, container, image, sources, home } = parts
  const { pod, podIP } = facts
  const terminationMessageFile = `${home}/termination-log`
  const mounts = mountsOf(parts, terminationMessageFile)
  const rewritten = (text: string): string => rewritePaths(text, mounts)
  const own = { POD_IP: podIP, POD_NAME: pod.metadata.name, POD_NAMESPACE: pod.metadata.namespace }
  const imageEnv = Object.entries(image.env ?? {}).map(
    ([name, text]) => [name, expandVariables(text, own)] as const,
  )
  const variables = { ...Object.fromEntries(imageEnv), ...containerEnv(facts, container, sources) }
  const token = mounts.find(({ inside }) => inside === tokenPath)?.outside
  const env = {
    PATH: parts.path,
    HOME: home,
    TMPDIR: home,
    HOSTNAME: pod.spec.hostname ?? own.POD_NAME,
    ...(token === undefined ? {} : { KUBECONFIG: `${home}/kubeconfig` }),
    ...Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, rewritten(text)])),
  }
  const { workingDir } = container
  return {
    line: commandLine({ image, container, env, facts: own }).map(rewritten),
    env,
    home,
    mounts,
    terminationMessageFile,
    directory: workingDir === undefined ? home : insideOf(rewritten(workingDir), workingDir, home),
    kubeconfig: token === undefined ? undefined : kubeconfigText(facts, sources.apiUrl, token),
  }
}

/** A working directory outside of all volumes is created in the container's directory. */
function insideOf(rewritten: string, given: string, home: string): string {
  return rewritten === given ? `${home}/${given.replace(/^\/+/, '')}` : rewritten
}

function mountsOf(
  { container, volumes, facts }: PlanParts,
  terminationMessageFile: string,
): MountedPath[] {
  const { volumeMounts = [], terminationMessagePath = '/dev/termination-log', env = [] } = container
  const values = Object.fromEntries(env.map(({ name, value = '' }) => [name, value]))
  const own = { POD_NAME: facts.pod.metadata.name, ...values }
  const mounts = volumeMounts.flatMap(({ name, mountPath, subPath = '', subPathExpr = '' }) => {
    const volume = volumes.get(name)
    if (volume === undefined) return []
    const below = subPath === '' ? expandVariables(subPathExpr, own) : subPath
    const outside = below === '' ? volume : `${volume}/${below}`
    return [{ inside: mountPath.replace(/(.)\/+$/, '$1'), outside }]
  })
  return [
    ...mounts,
    ...parentsOf(mounts),
    { inside: terminationMessagePath, outside: terminationMessageFile },
  ]
}

/** The directories that contain mounted volumes, as far as this machine has them. */
function parentsOf(mounts: readonly MountedPath[]): MountedPath[] {
  const taken = new Set(mounts.map(({ inside }) => inside))
  return mounts.flatMap(({ inside, outside }) => {
    const parent = inside.slice(0, inside.lastIndexOf('/'))
    if (parent === '' || taken.has(parent) || inside === tokenPath) return []
    taken.add(parent)
    const isThere = outside.endsWith(`${podRoot}${inside}`)
    const below = outside.slice(0, outside.lastIndexOf('/'))
    return isThere ? [{ inside: parent, outside: below, isParent: true }] : []
  })
}

/** Every JSON document is YAML, so the kubeconfig is written as JSON. */
function kubeconfigText({ pod }: PodFacts, server: string, token: string): string {
  const [name, { namespace }] = ['pod', pod.metadata]
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority': `${token}/ca.crt` } }],
    users: [{ name, user: { tokenFile: `${token}/token` } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  })
}
