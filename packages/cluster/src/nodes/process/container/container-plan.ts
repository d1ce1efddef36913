import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import { commandLine } from './container-command.ts'
import { containerEnv } from './container-env.ts'
import { expandVariables } from './expand-variables.ts'
import type { PodFacts } from '../field-values.ts'
import { type MountedPath, rewritePaths } from './mount-paths.ts'
import type { PodSources } from '../pod-sources.ts'
import type { ProcessImage } from '../process-options.ts'

/** How a container is run as a process. */
export interface ContainerPlan {
  /** The program and its arguments. */
  readonly line: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What belongs to the container alone; it is emptied before every run. */
  readonly home: string
  /** Where it works, at home or in a volume. */
  readonly directory: string
  readonly mounts: readonly MountedPath[]
  /** Where it may leave its last words. */
  readonly lastWordsFile: string
  /** How clients find the API, if the container has a token for it. */
  readonly kubeconfig: string | undefined
}

/** What a plan is made from. */
interface PlanParts {
  readonly facts: PodFacts
  readonly container: Frozen<Container>
  readonly image: ProcessImage
  readonly sources: PodSources
  /** The container's own directory. */
  readonly home: string
  /** Where the volumes of the pod are, by name. */
  readonly volumes: ReadonlyMap<string, string>
  /** Where programs are looked for. */
  readonly path: string
}

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Works out how a container is run. Throws a `MissingSource` when something it needs is not there. */
export function containerPlan(parts: PlanParts): ContainerPlan {
  const { facts, container, image, sources, home } = parts
  const { pod, podIP } = facts
  const lastWordsFile = `${home}/termination-log`
  const mounts = mountsOf(parts, lastWordsFile)
  const rewritten = (text: string): string => rewritePaths(text, mounts)
  const own = { POD_IP: podIP, POD_NAME: pod.metadata.name, POD_NAMESPACE: pod.metadata.namespace }
  const imageEnv = Object.entries(image.env ?? {}).map(
    ([name, text]) => [name, expandVariables(text, own)] as const,
  )
  const said = { ...Object.fromEntries(imageEnv), ...containerEnv(facts, container, sources) }
  const token = mounts.find(({ inside }) => inside === tokenPath)?.outside
  const env = {
    ...{ PATH: parts.path, HOME: home, TMPDIR: home, HOSTNAME: pod.spec.hostname ?? own.POD_NAME },
    ...(token === undefined ? {} : { KUBECONFIG: `${home}/kubeconfig` }),
    ...Object.fromEntries(Object.entries(said).map(([name, text]) => [name, rewritten(text)])),
  }
  const { workingDir } = container
  return {
    line: commandLine({ image, container, env, facts: own }).map(rewritten),
    ...{ env, home, mounts, lastWordsFile },
    directory: workingDir === undefined ? home : insideOf(rewritten(workingDir), workingDir, home),
    kubeconfig: token === undefined ? undefined : kubeconfigText(facts, sources.apiUrl, token),
  }
}

/** A directory that no volume has is made at home. */
function insideOf(rewritten: string, given: string, home: string): string {
  return rewritten === given ? `${home}/${given.replace(/^\/+/, '')}` : rewritten
}

function mountsOf({ container, volumes, facts }: PlanParts, lastWordsFile: string): MountedPath[] {
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
  return [...mounts, { inside: terminationMessagePath, outside: lastWordsFile }]
}

/** A kubeconfig is JSON too. */
function kubeconfigText({ pod }: PodFacts, server: string, token: string): string {
  const [name, { namespace }] = ['pod', pod.metadata]
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': name },
    clusters: [{ name, cluster: { server, 'certificate-authority': `${token}/ca.crt` } }],
    users: [{ name, user: { tokenFile: `${token}/token` } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  })
}
